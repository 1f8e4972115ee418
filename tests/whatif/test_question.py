"""The quick verdict is that of a whole check."""

from __future__ import annotations

import pickle
from collections import Counter
from pathlib import Path

import pytest

import qismc
from qismc.edits.edit import Edit, Insert
from qismc.edits.kinds import gate
from qismc.edits.sampling import drawn
from qismc.errors import UsageError
from qismc.program.load import load, read_text
from qismc.verdict import Verdict
from qismc.whatif.question import Variants

EXAMPLES = Path(__file__).parents[2] / "examples"
ANGLES = """OPENQASM 3.0;
include "stdgates.inc";
qubit[2] q;
bit[1] c;
ry(0.7) q[0];
ry(0.7) q[1];
cx q[0], q[1];
h q[0];
c[0] = measure q[0];
if (c[0]) { z q[1]; }
"""
FORMULAS = {
    "rus": (load(EXAMPLES / "rus_fixed.qasm"), {"safe": "AG (leaf -> target)", "sure": "P=1 [F leaf]"}),
    "paths": (load(EXAMPLES / "rus_fixed.qasm"), {"may": "EF (leaf & target)", "must": "!(AF leaf)"}),
    "angles": (read_text(ANGLES, "a.qasm"), {"some": "AG (leaf & c == 0 -> !|00>)", "never": "AG !|11>"}),
}


@pytest.mark.parametrize("name", FORMULAS)
def test_verdicts_of_mutants_are_those_of_checks(name: str) -> None:
    program, formulas = FORMULAS[name]
    question = Variants(formulas, {})
    seen: Counter[Verdict] = Counter()
    for edit in drawn(program, 25, 1):
        edited = edit.apply(program)
        whole = qismc.check(edited, formulas)
        assert question.verdict(edited)[0] is whole.verdict, edit.text(program)
        if whole:
            assert question.passes(edited)
        seen[whole.verdict] += 1
    assert len(seen) > 1


def test_a_question_does_not_travel_and_says_so() -> None:
    again = pickle.loads(pickle.dumps(Variants({"a": "AG leaf"}, {})))
    with pytest.raises(UsageError, match="not known any more"):
        again.trees  # noqa: B018 - reading it is the test


def test_no_variant_exceeds_the_patience() -> None:
    program = load(EXAMPLES / "rus_fixed.qasm")
    for given, patience, seconds in ((None, 2.0, 2.0), (1.0, 2.0, 1.0), (60.0, 2.0, 2.0), (60.0, None, 60.0)):
        options = {"limits": qismc.Limits(seconds=given, memory_mb=900)}
        question = Variants({}, options) if patience is None else Variants({}, options, patience=patience)
        for part in (question, question.about([], program)):
            limits = part.model(program).budget.limits
            assert (limits.seconds, limits.memory_mb) == (seconds, 900)


def test_variants_of_clifford_programs_are_asked_on_stabilisers() -> None:
    """Forty qubits with twenty coins: no list of locations would end."""
    coins = qismc.QuantumCircuit(40, 20)
    coins.h(range(20))
    coins.cx(range(20), range(20, 40))
    coins.measure(range(20), range(20))
    program = qismc.program.read_program(coins)
    question = Variants({"pairs": f"AG (leaf -> stab({'Z' + 'I' * 19 + 'Z' + 'I' * 19}))"}, {}, program)
    assert question.is_for_stabilisers(program) and question.passes(program, ends=True)
    assert question.passes(Edit("", (Insert(40, gate("x", 1)),)).apply(program))
    assert not question.passes(Edit("", (Insert(40, gate("x", 0)),)).apply(program))
    assert not Variants(question.formulas, {"engine": "float"}).is_for_stabilisers(program)
