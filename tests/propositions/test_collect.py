"""What need not be looked at needs nothing; subspaces whose dimension depends on angles."""

from __future__ import annotations

import pytest
from qiskit import QuantumCircuit

import qismc
from qismc.numbers.needs import AngleSurvey, Needs
from qismc.program.gates import FORMULAS, Base, base_matrix
from qismc.propositions.collect import keeps_members, keeps_spanning
from qismc.propositions.resolving import Scope, resolve
from qismc.propositions.states import letter


@pytest.mark.parametrize("name", [name for name, (_, angles, _) in FORMULAS.items() if not angles])
def test_gates_without_angles_need_nothing(name: str) -> None:
    needs, survey = Needs(), AngleSurvey()
    base_matrix(Base(name), needs)
    base_matrix(Base(name), survey)
    assert needs == Needs()
    assert survey == AngleSurvey()


def test_letters_need_nothing() -> None:
    needs = Needs()
    for name in "01+-rl":
        letter(needs, name)
    assert needs == Needs()


def turned(angle: float) -> QuantumCircuit:
    circuit = QuantumCircuit(2)
    circuit.ry(angle, 0)
    return circuit


SCOPE = Scope(
    qismc.Model(QuantumCircuit(2)).program, {"t": turned(0.3), "s": turned(0.4), "fixed": turned(3.0 * 0)}
)


@pytest.mark.parametrize(
    ("text", "members", "spanning"),
    [
        ("t", True, True),
        ("~t", True, True),
        ("|00> \\/ fixed", True, True),
        ("t \\/ |00>", False, True),  # one line only at angle 0
        ("span(t, s)", False, True),
        ("t /\\ s", True, False),  # not zero at equal angles
        ("~t /\\ ~s", True, False),
        ("~(t \\/ s)", True, False),
        ("~(~t /\\ ~s)", False, True),
        ("(t \\/ s) /\\ (|0> on q[1])", False, False),
        ("~(t \\/ s) \\/ |00>", False, False),
        ("stab(ZZ) /\\ (|0> on q[0])", True, True),
    ],
)
def test_joins_shrink_and_meets_grow(text: str, members: bool, spanning: bool) -> None:
    proposition = resolve(text, SCOPE)
    assert keeps_members(proposition) == members
    assert keeps_spanning(proposition) == spanning
