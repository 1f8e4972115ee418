"""Turns far below the rounding of floating point, against sums of roots of unity, term by term."""

from __future__ import annotations

import math
from collections import Counter
from random import Random

import pytest

import qismc
from qismc import QuantumCircuit
from qismc.errors import Undecided
from qismc.verdict import Verdict

Number = Counter[int]
"""A sum of roots of unity: how often each power of e^(2 pi i / 2^FINEST) occurs, powers below one half."""
FINEST = 101
HALF = 1 << (FINEST - 1)
QUBITS = 2


def times_root(number: Number, power: int) -> Number:
    found: Number = Counter()
    for exponent, count in number.items():
        turned = (exponent + power) % (2 * HALF)
        found[turned % HALF] += -count if turned >= HALF else count
    return found


def plus(left: Number, right: Number, sign: int = 1) -> Number:
    found = Counter(left)
    for exponent, count in right.items():
        found[exponent] += sign * count
    return Counter({exponent: count for exponent, count in found.items() if count})


def random_gates(random: Random, finest: int) -> list[tuple[str, int, int]]:
    """(name, qubit, power): phases are far finer than any rounding, and often take each other back."""
    gates: list[tuple[str, int, int]] = []
    powers = [random.randrange(1, 8) << (FINEST - finest) for _ in range(2)]
    for _ in range(random.randrange(2, 12)):
        name = random.choice(["h", "x", "cx", "p", "p", "cp"])
        gates.append((name, random.randrange(QUBITS), random.choice([1, -1, 2]) * random.choice(powers)))
    if random.random() < 0.7:
        back = [(name, qubit, -power) for name, qubit, power in reversed(gates)]
        gates += back if random.random() < 0.6 else back[:-1]
    return gates


def circuit_of(gates: list[tuple[str, int, int]]) -> QuantumCircuit:
    circuit = QuantumCircuit(QUBITS)
    for name, qubit, power in gates:
        angle = math.ldexp(math.pi, 1 - FINEST) * power
        match name:
            case "p":
                circuit.p(angle, qubit)
            case "cp":
                circuit.cp(angle, 0, 1)
            case "cx":
                circuit.cx(qubit, 1 - qubit)
            case _:
                getattr(circuit, name)(qubit)
    return circuit


def state_after(gates: list[tuple[str, int, int]]) -> list[Number]:
    """Up to a power of sqrt(2); bit k of an index is qubit k."""
    state: list[Number] = [Counter({0: 1}) if k == 0 else Counter() for k in range(1 << QUBITS)]
    for name, qubit, power in gates:
        bit, old = 1 << qubit, state
        match name:
            case "p":
                state = [times_root(old[k], power) if k & bit else old[k] for k in range(len(old))]
            case "cp":
                state = [times_root(old[k], power) if k == 3 else old[k] for k in range(len(old))]
            case "x":
                state = [old[k ^ bit] for k in range(len(old))]
            case "cx":
                state = [old[k ^ (3 ^ bit)] if k & bit else old[k] for k in range(len(old))]
            case "h":
                state = [plus(old[k & ~bit], old[k | bit], -1 if k & bit else 1) for k in range(len(old))]
    return state


def is_zero(number: Number) -> bool:
    """Powers below one half of a primitive root of order 2^FINEST are independent over the rationals."""
    return not any(number.values())


@pytest.mark.parametrize("seed", range(60))
def test_verdicts(seed: int) -> None:
    """Does the program end in |00>? Asked as it is, and through a complement, which takes conjugates."""
    random = Random(seed)
    gates = random_gates(random, random.choice([46, 57, 64, 80, 99, 100]))
    expected = all(is_zero(amplitude) for amplitude in state_after(gates)[1:])
    for formula in ("AG (leaf -> |00>)", "AG (leaf -> ~(|01> \\/ |10> \\/ |11>))"):
        result = qismc.check(circuit_of(gates), formula)
        assert result.engine == "exact" and result.verdict is (
            Verdict.HOLDS if expected else Verdict.VIOLATED
        )


def test_both_verdicts_occur() -> None:
    ends = []
    for seed in range(60):
        random = Random(seed)
        gates = random_gates(random, random.choice([46, 57, 64, 80, 99, 100]))
        ends.append(all(is_zero(amplitude) for amplitude in state_after(gates)[1:]))
    assert 10 < sum(ends) < 50


def test_turns_that_are_too_fine_leave_the_verdict_open() -> None:
    """Floating point would see no difference and is not asked."""
    circuit = QuantumCircuit(1)
    circuit.h(0)
    circuit.p(math.ldexp(math.pi, -110), 0)
    circuit.h(0)
    result = qismc.check(circuit, "AG (leaf -> |0>)")
    assert result.verdict is Verdict.UNKNOWN and "within rounding" in str(result.reason)
    assert "finer than exact numbers go" in str(result)
    assert qismc.check(circuit, "AG (leaf -> |0>)", numbers="float")
    circuit.h(0)
    circuit.p(-math.ldexp(math.pi, -110), 0)
    circuit.h(0)
    assert qismc.check(circuit, "AG (leaf -> |0>)")


def slow_loop(power: int) -> QuantumCircuit:
    """Every turn ends the loop with the probability sin^2(pi / 2^(power + 1))."""
    circuit = QuantumCircuit(1, 1)
    circuit.x(0)
    circuit.measure(0, 0)
    with circuit.while_loop((circuit.clbits[0], 1)):
        circuit.h(0)
        circuit.p(math.ldexp(math.pi, -power), 0)
        circuit.h(0)
        circuit.measure(0, 0)
    return circuit


@pytest.mark.parametrize("power", [5, 25, 40, 60])
def test_loops_that_hardly_ever_end_end_in_the_long_run(power: int) -> None:
    """Where floating point sees no way out, it says nothing; what is certain needs no numbers."""
    holds = {"P=1 [F leaf]": True, "P>=1/2 [F leaf]": True, "P<1/2 [F leaf]": False, "AF leaf": False}
    for formula, expected in holds.items():
        result = qismc.check(slow_loop(power), formula)
        assert result.verdict is (Verdict.HOLDS if expected else Verdict.VIOLATED), formula
    model = qismc.Model(slow_loop(power))
    if power == 5:
        assert "never ends: 0" in str(model.outcomes())
    else:
        with pytest.raises(Undecided):
            model.outcomes()
