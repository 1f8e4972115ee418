"""Models: their options, and which bits they keep apart."""

from __future__ import annotations

import pytest

import qismc
from qismc import Model, QuantumCircuit, SpecError, UsageError, Verdict

from .test_conditions import marked


@pytest.mark.parametrize(
    ("options", "message"),
    [({"paths": "some"}, "paths = 'some'"), ({"numbers": "flaot"}, "flaot"), ({"init": "zero"}, "zero")],
)
def test_wrong_options(options: dict[str, str], message: str) -> None:
    with pytest.raises((UsageError, SpecError), match=message):
        Model(marked(), **options).solved()


@pytest.mark.parametrize("thing", [7, None, object()])
def test_not_a_program(thing: object) -> None:
    with pytest.raises(UsageError, match="not a program"):
        Model(thing)


def test_formulas_keep_the_bits_they_speak_of_apart(engine: str) -> None:
    """The measured bit is never read by the program, but by the formula."""
    result = qismc.check(marked(), ["AG (leaf & c == 1 -> |11>)", "EF (leaf & c[0])"], numbers=engine)
    assert [r.verdict for r in result] == [Verdict.HOLDS, Verdict.HOLDS]


@pytest.mark.parametrize("annotations", [{}, {"leaf": "|0>"}])
def test_a_program_without_a_start_is_refused(annotations: dict[str | int, str]) -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.measure(0, 0)
    with pytest.raises(SpecError, match="init is the zero space"):
        qismc.check(circuit, "AG (leaf -> |0>)", init="|0> /\\ |1>", annotations=annotations)
