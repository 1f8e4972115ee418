"""P=1 and P>0 as the checker decides them, against the solver's answers on programs with loops."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest

import qismc
from qismc import QuantumCircuit, Verdict
from qismc.verifier import NotChecked, Refused

from .programs import attempts, certified, random_program, verified

SPECS = {
    "ends": "P=1 [F leaf]",
    "may end": "P>0 [F leaf]",
    "stays": "P>0 [G !leaf]",
    "never": "P=1 [G !(leaf & c == 2)]",
    "state": "P=1 [F (leaf & |0> on q[0])]",
    "some": "P>0 [!(c == 1) U (leaf & |1> on q[1])]",
    "weak": "P=1 [c == 0 W c == 1]",
    "free": "P>0 [c == 1 R c == 0]",
    "inside": "EF (leaf & P=1 [F leaf])",
}


@pytest.mark.parametrize("seed", range(20))
def test_random_programs(tmp_path: Path, seed: int) -> None:
    _, data = certified(tmp_path, random_program(seed), {**SPECS, "anywhere": "EF P>0 [F leaf]"}, paths="all")
    verified(tmp_path, data, random_program(seed))
    _, data = certified(tmp_path, random_program(seed), SPECS)
    verified(tmp_path, data, random_program(seed))
    for number in range(len(SPECS)):
        doctored = copy.deepcopy(data)
        claim = doctored["claims"][number]
        claim["verdict"] = "violated" if claim["verdict"] == "holds" else "holds"
        with pytest.raises(Refused, match="the opposite is so"):
            verified(tmp_path, doctored, random_program(seed))


def trapped() -> QuantumCircuit:
    """A loop that half of the states never leave: their first qubit is 1 for ever."""
    circuit = QuantumCircuit(2, 1)
    circuit.h(0)
    circuit.x(1)
    circuit.measure(1, 0)
    with circuit.while_loop((circuit.clbits[0], 1)):
        circuit.measure(0, 0)
    return circuit


@pytest.mark.parametrize(("circuit", "ends"), [(attempts(), True), (trapped(), False)])
def test_loops(tmp_path: Path, circuit: QuantumCircuit, ends: bool) -> None:
    result, data = certified(tmp_path, circuit, {"ends": "P=1 [F leaf]", "may": "P>0 [F leaf]"})
    assert bool(result["ends"]) is ends and result["may"]
    verified(tmp_path, data, circuit)
    data["claims"][0]["verdict"] = "violated" if ends else "holds"
    with pytest.raises(Refused, match="the opposite is so"):
        verified(tmp_path, data, circuit)


LEFT_OPEN = """OPENQASM 3.0;
qubit[1] q;
bit[1] c = "1";
{before}
while (c[0]) {{
  {inside}
  if (w) {{ c[0] = measure q[0]; }}
}}
"""


@pytest.mark.parametrize(("before", "inside"), [("", "bool w;"), ("input bool w;", "reset q[0];")])
def test_values_that_are_left_open(tmp_path: Path, before: str, inside: str) -> None:
    """A value that is open in every turn may be the same for ever: that is no event of probability 0."""
    program, path = tmp_path / "open.qasm", tmp_path / "open.json"
    program.write_text(LEFT_OPEN.format(before=before, inside=inside), encoding="utf-8")
    assert qismc.check(str(program), "P>0 [F leaf]", certificate=path)
    if before:
        assert not qismc.check(str(program), "P=1 [F leaf]", certificate=path)
    else:
        assert qismc.check(str(program), "P=1 [F leaf]").verdict is Verdict.UNKNOWN
        data = json.loads(path.read_text())
        data["claims"][0]["spec"] = "P=1 [F leaf]"
        with pytest.raises(NotChecked, match="a loop leaves a value open"):
            verified(tmp_path, data, program)
