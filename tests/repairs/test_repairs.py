"""Bugs that people make are repaired; every suggestion is confirmed by another engine."""

from __future__ import annotations

import importlib.util
import json
import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import qismc
from qismc import Limits, QuantumCircuit, repair
from qismc.edits.edit import Edit, Replace
from qismc.edits.kinds import gate
from qismc.program.classical import Binary, Const
from qismc.program.load import load, read_program, read_text
from qismc.program.program import Program
from qismc.program.statements import Branch
from qismc.repairs.repairs import Repairs
from qismc.whatif import Variants

EXAMPLES = Path(__file__).parents[2] / "examples"


def example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, next(EXAMPLES.rglob(f"{name}.py")))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def texts(found: Repairs) -> list[str]:
    """All suggestions, without places; each one must hold on the other engine, too."""
    listed = list(found)
    for one in listed:
        again = Variants.of(one.result._question.asking(engine="float")).check(one.program)
        assert again, one.text
    everything = [text for one in listed for text in (one.text, *one.same)]
    return [text.split(": ", 1)[-1] for text in everything]


def test_the_running_example() -> None:
    result = qismc.check(str(EXAMPLES / "rus_buggy.qasm"))
    found = result.repairs()
    first = next(iter(found))
    assert "insert reset q[0]" in first.text
    assert first.line in (18, 25)
    assert first.diff is not None
    assert "+  reset q[0];" in first.diff
    assert {"insert reset q[0] before 'h q[0]'", "insert reset q[0] after 'measure q[0] -> c[0]'"} <= {
        *texts(found)
    }


def test_a_missing_correction_is_found_by_comparing_states() -> None:
    module = example("teleportation")
    found = repair(module.forgetful(), module.SPECS, init=module.INIT, props=module.PROPS, limit=1)
    assert texts(found)[0] == "insert if (c[0] == 1) z q[2] at the end"
    assert found._search.checked == 1 and found.tried < 40


def teleportation(
    first: int = 1, second: int = 0, control: int = 0, *, hadamard: bool = True
) -> QuantumCircuit:
    qc = QuantumCircuit(4, 2)
    if hadamard:
        qc.h(1)
    qc.cx(1, 2)
    qc.cx(0, 1, ctrl_state=1 - control)
    qc.h(0)
    qc.measure([0, 1], [0, 1])
    with qc.if_test((qc.clbits[first], 1)):
        qc.x(2)
    with qc.if_test((qc.clbits[second], 1)):
        qc.z(2)
    return qc


@pytest.mark.parametrize(
    ("broken", "wanted"),
    [
        (teleportation(0, 1), "replace 'if (c[0] == 1)' by 'if (c[1] == 1)'"),
        (teleportation(control=1), "replace 'cx_o0 q[0], q[1]' by 'cx q[0], q[1]'"),
        (teleportation(hadamard=False), "insert h q[1] before 'cx q[1], q[2]'"),
    ],
    ids=["swapped bits", "wrong control", "missing hadamard"],
)
def test_bugs_of_teleportation(broken: QuantumCircuit, wanted: str) -> None:
    module = example("teleportation")
    found = texts(repair(broken, module.SPECS, init=module.INIT, props=module.PROPS))
    assert any(wanted in text for text in found), found


def test_a_wrong_angle_sign() -> None:
    module = example("any_bias")
    found = texts(repair(module.faulty(), module.SPECS))
    assert "replace 'ry(-0.7) q[1]' by 'ry(0.7) q[1]'" in found


def secret_sharing(change: Callable[[Program], Edit]) -> tuple[Program, dict[str, Any]]:
    module = example("lost_shares")
    program = read_program(module.known_places())
    options = {"spec": module.SPECS, "init": module.INIT, "props": module.PROPS}
    return change(program).apply(program), options


def test_a_wrong_entry_in_a_table_of_syndromes() -> None:
    def change(program: Program) -> Edit:
        """The correction Z on share 0 becomes X."""
        point = next(p for p, s in enumerate(program.code) if program.text(p) == "z share[0]")
        return Edit("operand", (Replace(point, gate("x", 0)),))

    program, options = secret_sharing(change)
    found = repair(program, options.pop("spec"), limit=1, timeout=60, **options)
    (text,) = texts(found)
    value = example("lost_shares")._syndrome("ZIIII")
    assert text == f"insert if (syndrome == {value}) y share[0] at the end"  # X was done, and Z was meant


def test_a_wrong_value_in_a_table_of_syndromes() -> None:
    """Values of two entries exchanged: that takes two edits, and states tell what is missing at the end."""
    text = """OPENQASM 3.0;
include "stdgates.inc";
qubit[3] q;
qubit[2] a;
bit[2] s;
bit e;
//@ spec fixed: AG (leaf -> |000> on q)
h a[0];
e = measure a[0];
if (e) { x q[2]; }
reset a[0];
cx q[0], a[0]; cx q[1], a[0];
cx q[1], a[1]; cx q[2], a[1];
s[0] = measure a[0];
s[1] = measure a[1];
if (s == 1) { x q[0]; }
if (s == 3) { x q[1]; }
if (s == 0) { x q[2]; }
"""
    program = read_text(text, "code.qasm")
    found = texts(repair(program))
    assert "replace 'if (s == 0)' by 'if (s == 2)'" in found
    branches = [s for s in program.code if isinstance(s, Branch)]
    assert any(b.condition == Binary("==", b.condition.left, Const(0)) for b in branches[1:])  # type: ignore[union-attr]


def test_a_for_loop_is_repaired_in_all_its_turns() -> None:
    text = """OPENQASM 3.0;
include "stdgates.inc";
qubit[3] q;
//@ spec plus: AG (leaf -> |+++>)
for int k in [0:2] { s q[k]; }
h q[0]; h q[1]; h q[2];
for int k in [0:2] {
  s q[k];
}
h q[0]; h q[1]; h q[2];
h q[0]; h q[1]; h q[2];
"""
    broken = text.replace("for int k in [0:2] {\n  s q[k];", "for int k in [0:2] {\n  z q[k];", 1)
    found = repair(read_text(broken, "p.qasm"))
    one = next(iter(found))
    assert len(one.edits[0].actions) == 3
    assert one.diff is not None or "remove" in one.text or "replace" in one.text


def test_a_repair_may_not_make_the_end_unreachable() -> None:
    qc = QuantumCircuit(1, 1)
    qc.h(0)
    qc.measure(0, 0)
    with qc.while_loop((qc.clbits[0], 0)):
        qc.h(0)
        qc.measure(0, 0)
    found = repair(qc, "AG (leaf -> |0>)")
    assert found.tried == 0
    for one in found:
        assert qismc.check(one.program, "EF leaf"), one.text


def test_pairs_if_asked_for() -> None:
    qc = QuantumCircuit(2)
    qc.x(0)
    spec = {"first": "AG (leaf -> |-> on q[0])", "second": "AG (leaf -> |1> on q[1])"}
    assert not list(repair(qc, spec))
    found = repair(qc, spec, pairs=True, limit=1, timeout=60)
    (one,) = found
    assert len(one.edits[0].actions) == 2
    texts(found)


def test_nothing_found_says_what_was_tried() -> None:
    qc = QuantumCircuit(1)
    qc.h(0)
    found = repair(qc, "AG (leaf -> 3/5 |0> + 4/5 |1>)")
    assert list(found) == []
    assert found.tried > 15
    assert found.note.startswith(f"no repair was found; {found.tried} edits tried in")
    assert found.note.endswith("(all single edits)")
    limited = qismc.check(qc, "AG (leaf -> 3/5 |0> + 4/5 |1>)").repairs(timeout=1e-9)
    assert list(limited) == []
    assert "stopped after 1e-09 s" in limited.note


def test_nothing_to_repair() -> None:
    found = qismc.check(str(EXAMPLES / "rus_fixed.qasm")).repairs()
    assert list(found) == []
    assert found.tried == 0


def test_repairs_as_data_and_in_another_process() -> None:
    found = qismc.check(str(EXAMPLES / "rus_buggy.qasm")).repairs(limit=1)
    data = json.loads(json.dumps(found.to_json()))
    assert data["repairs"][0]["source"]["line"] in (18, 25)
    assert data["tried"] == found.tried
    again = pickle.loads(pickle.dumps(found))
    assert [one.text for one in again] == [one.text for one in found]
    assert again.note == found.note


def test_a_suggestion_is_a_program_of_files(tmp_path: Path) -> None:
    file = tmp_path / "rus.qasm"
    file.write_text((EXAMPLES / "rus_buggy.qasm").read_text())
    one = next(iter(repair(load(file))))
    assert one.patch is not None
    file.write_text("\n".join(one.patch.after))
    assert qismc.check(str(file))


@pytest.mark.parametrize(
    ("limits", "told"),
    [
        (Limits(seconds=1e-6), "stopped after 1e-06 s, the time limit of the check"),
        (Limits(memory_mb=1), "stopped: the memory limit of 1 MB was reached"),
    ],
)
def test_the_limits_of_the_check_hold_for_the_search(limits: Limits, told: str) -> None:
    qc = QuantumCircuit(1)
    qc.x(0)
    result = qismc.check(qc, "AG (leaf -> |0>)")
    question = replace(result._question, options={**result._question.options, "limits": limits})
    found = replace(result, _question=question).repairs()
    assert list(found) == [] and found.tried == 0
    assert told in found.note
    assert list(result.repairs())
