"""Probability against Storm, on programs that are Markov chains: one state per location."""

from __future__ import annotations

from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from qiskit.circuit.library import CXGate, HGate, XGate

import qismc
from qismc import Verdict

from ..reference import Reference
from ..toy import Gate, If, Measure, Reset, Test, Toy, While

stormpy = pytest.importorskip("stormpy", reason="Storm's Python package is not installed")

QUBITS, BITS = 2, 2
SURE = 1 - 1e-9


@st.composite
def chains(draw: st.DrawFn) -> Toy:
    """Coins (reset, h, measure) and classical gates in branches and loops."""

    def coin() -> list[Any]:
        qubit, bit = draw(st.integers(0, QUBITS - 1)), draw(st.integers(0, BITS - 1))
        return [Reset(qubit), Gate(HGate(), (qubit,)), Measure(qubit, bit)]

    def block(depth: int) -> tuple[Any, ...]:
        found: list[Any] = []
        for _ in range(draw(st.integers(1, 3))):
            kind = draw(st.integers(0, 4 if depth else 2))
            test = Test(draw(st.integers(0, BITS - 1)), draw(st.integers(0, 1)))
            if kind == 0:
                found += coin()
            elif kind == 1:
                found.append(Gate(XGate(), (draw(st.integers(0, QUBITS - 1)),)))
            elif kind == 2:
                found.append(Gate(CXGate(), (0, 1)))
            elif kind == 3:
                found.append(If(test, block(depth - 1), block(depth - 1)))
            else:
                found.append(While(test, block(depth - 1)))
        return tuple(found)

    return Toy(QUBITS, BITS, block(2))


def markov_chain(reference: Reference, leaf: tuple[int, ...]) -> str:
    """The reachable places as a PRISM model; each has one state, so edges have fixed probabilities."""
    number = {reference.start: 0}
    for place in reference.system:
        number.setdefault(place, len(number))
    lines = ["dtmc", "module program", f"  s : [0..{len(number)}] init 0;"]
    for place, k in number.items():
        state = reference.sp[place][:, 0]
        weights: dict[int, float] = {}
        for edge in reference.system[place]:
            target = number[edge.target]
            weight = sum(float(np.linalg.norm(kraus @ state) ** 2) for kraus in edge.kraus)
            weights[target] = weights.get(target, 0.0) + weight
        total = sum(weights.values())
        ways = " + ".join(
            f"{weight / total!r}:(s'={target})" for target, weight in weights.items() if weight > 1e-9
        )
        lines.append(f"  [] s={k} -> {ways};")
    ends = [f"s={k}" for place, k in number.items() if place[0] == leaf]
    return "\n".join([*lines, "endmodule", f'label "leaf" = {" | ".join(ends) or "false"};', ""])


def storm_probability(model: str) -> float:
    """The probability of reaching the end."""
    with NamedTemporaryFile("w", suffix=".prism", delete=False) as file:
        file.write(model)
    try:
        program = stormpy.parse_prism_program(file.name)
    finally:
        Path(file.name).unlink()
    formulas = stormpy.parse_properties('P=? [F "leaf"]', program)
    chain = stormpy.build_model(program, formulas)
    answer = stormpy.model_checking(chain, formulas[0])
    value = answer.get_value if hasattr(answer, "get_value") else answer.at  # Storm 2 or 1
    return float(value(chain.initial_states[0]))


@given(toy=chains())
def test_reaching_the_end(engine: str, toy: Toy) -> None:
    reference = Reference(toy)
    assume(all(space.shape[1] <= 1 for space in reference.sp.values()))
    probability = storm_probability(markov_chain(reference, (len(toy.body),)))
    specs = ["P=1 [F leaf]", "P>0 [F leaf]", "P=? [F leaf]"]
    sure, possible, asked = qismc.check(toy.circuit(), specs, numbers=engine)
    assert asked.probability is not None and abs(float(asked.probability) - probability) < 1e-6
    assert (sure.verdict is Verdict.HOLDS) == (probability > SURE), probability
    assert (possible.verdict is Verdict.HOLDS) == (probability > 0), probability
