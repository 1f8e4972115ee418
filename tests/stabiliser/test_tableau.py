"""The native tableau against stim's and against measurements written down by hand."""

from __future__ import annotations

import random

import pytest
import stim

from qismc._core import Clifford, Finding, Repertoire, Strings, Tableau
from qismc.program.standard import standard_operator
from qismc.program.statements import Apply, Leaf
from qismc.stabiliser.gates import Gates

ONE = {"h": "H", "s": "S", "sdg": "S_DAG", "x": "X", "y": "Y", "z": "Z", "sx": "SQRT_X", "sxdg": "SQRT_X_DAG"}
TWO = {"cx": "CX", "cy": "CY", "cz": "CZ", "swap": "SWAP", "iswap": "ISWAP"}
GATES = Gates()


def gate(name: str) -> Clifford:
    action = GATES.action(standard_operator(name))
    assert action is not None
    ((found, _),) = action.steps
    return found


def random_gates(tableau: Tableau, simulator: stim.TableauSimulator, count: int, rng: random.Random) -> None:
    for _ in range(count):
        name = rng.choice([*ONE, *TWO])
        on = rng.sample(range(tableau.qubits), 2 if name in TWO else 1)
        tableau.apply(gate(name), on)
        simulator.do(stim.Circuit(f"{(ONE | TWO)[name]} {' '.join(map(str, on))}"))


def string(pauli: list[tuple[int, int]], qubits: int) -> stim.PauliString:
    letters = ["I"] * qubits
    for qubit, letter in pauli:
        letters[qubit] = "_XZY"[letter]
    return stim.PauliString("".join(letters))


def expectations(tableau: Tableau, simulator: stim.TableauSimulator, values: list[int]) -> None:
    """All generators have the sign that stim finds, atom k having the value values[k]."""
    for row in tableau.generators:
        sign = sum(values[atom] for atom in tableau.generator_sign(row)) % 2
        pauli = string(tableau.generator(row), tableau.qubits)
        assert simulator.peek_observable_expectation(pauli) == (-1 if sign else 1)


@pytest.mark.parametrize("qubits", [3, 70])
def test_gates_measurements_and_conditional_paulis(qubits: int) -> None:
    rng = random.Random(qubits)
    tableau, simulator = Tableau(qubits), stim.TableauSimulator(seed=1)
    values = [1]
    for _ in range(40):
        random_gates(tableau, simulator, 3 * qubits // 2, rng)
        qubit = rng.randrange(qubits)
        outcome = int(simulator.measure(qubit))
        if tableau.measure([(qubit, 2)], [len(values)]) is Finding.fixed:
            sign = tableau.sign([(qubit, 2)])
            assert sign is not None and sum(values[atom] for atom in sign) % 2 == outcome
        else:
            values.append(outcome)
        flipped, letter = rng.randrange(qubits), rng.choice([1, 2, 3])
        where = rng.sample(range(len(values)), min(2, len(values)))
        tableau.flip([(flipped, letter)], where)
        if sum(values[atom] for atom in where) % 2:
            simulator.do(stim.Circuit(f"{'_XZY'[letter]} {flipped}"))
        expectations(tableau, simulator, values)


def test_products_of_generators_have_the_sign_of_the_product() -> None:
    rng = random.Random(5)
    tableau, simulator = Tableau(6), stim.TableauSimulator()
    random_gates(tableau, simulator, 60, rng)
    for _ in range(50):
        total = stim.PauliString(6)
        for row in rng.sample(tableau.generators, 3):
            sign = -1 if tableau.generator_sign(row) else 1
            total *= string(tableau.generator(row), 6) * sign
        letters = [(k, (0, 1, 3, 2)[total[k]]) for k in range(6) if total[k]]
        assert tableau.sign(letters) == ([] if total.sign == 1 else [0])


def test_differences_are_signs_that_are_not_as_wanted() -> None:
    rng = random.Random(7)
    tableau, simulator = Tableau(6), stim.TableauSimulator()
    random_gates(tableau, simulator, 60, rng)
    for atom in range(1, 4):
        tableau.flip([(rng.randrange(6), rng.choice([1, 2, 3]))], [0, atom])
    wanted, expected = Strings(), []
    for _ in range(60):
        letters = [(q, letter) for q in range(6) if (letter := rng.randrange(4))]
        if rng.random() < 0.8:
            letters = tableau.generator(rng.choice(tableau.generators))
        minus = rng.random() < 0.5
        wanted.append(letters, minus)
        sign = tableau.sign(letters)
        expected.append(None if sign is None else sorted({*sign} ^ ({0} if minus else set())))
    distinct = [d for k, d in enumerate(expected) if d != [] and d not in expected[:k]]
    assert tableau.differences(wanted) == distinct and None in distinct and len(distinct) > 2


def test_runs_end_at_operators_that_are_not_known() -> None:
    h, t, cx = (standard_operator(name) for name in ("h", "t", "cx"))
    code = [Apply(h, (0,)), Apply(cx, (0, 1)), Apply(t, (0,)), Apply(h, (0,))]
    tableau = Tableau(2)
    assert GATES.run(tableau, code, 0, 4) == 2
    assert tableau.sign([(0, 1), (1, 1)]) == [] and tableau.sign([(0, 2), (1, 2)]) == []
    assert GATES.run(tableau, code, 3, 4) == 4 and tableau.sign([(0, 2), (1, 1)]) == []
    with pytest.raises(IndexError):
        tableau.run(Repertoire(), code, 0, 5)
    with pytest.raises(ValueError, match="only gates"):
        tableau.run(Repertoire(), [Leaf()], 0, 1)


def test_what_is_not_in_the_group_has_no_sign() -> None:
    tableau = Tableau(2)
    assert tableau.sign([(0, 1)]) is None and tableau.sign([(0, 2), (1, 2)]) == []


def test_an_open_start_becomes_a_code() -> None:
    tableau = Tableau(3, open=True)
    assert tableau.generators == [] and tableau.sign([(0, 2)]) is None
    assert tableau.measure([(0, 2), (1, 2)], []) is Finding.open
    assert tableau.measure([(1, 2), (2, 2)], [0]) is Finding.open
    assert tableau.sign([(0, 2), (2, 2)]) == [0]
    assert tableau.sign([(0, 1), (1, 1), (2, 1)]) is None
    assert tableau.measure([(0, 1)], [1]) is Finding.coin
    assert tableau.measure([(1, 2)], [2]) is Finding.open
    assert tableau.sign([(2, 2)]) == [0, 2]
    assert tableau.measure([(2, 2)], [3]) is Finding.fixed and len(tableau.generators) == 3


def test_copies_are_their_own() -> None:
    first = Tableau(1)
    second = first.copy()
    second.apply(gate("h"), [0])
    assert first.sign([(0, 2)]) == [] and second.sign([(0, 2)]) is None
    second.set_sign(0, [0, 4])
    assert second.sign([(0, 1)]) == [0, 4]


def test_wrong_arguments() -> None:
    tableau = Tableau(2)
    with pytest.raises(IndexError):
        tableau.apply(gate("h"), [2])
    with pytest.raises(ValueError, match="cannot act on 1"):
        tableau.apply(gate("cx"), [0])
    with pytest.raises(ValueError, match="given twice"):
        tableau.apply(gate("cx"), [1, 1])
    with pytest.raises(ValueError, match="not independent"):
        Clifford(1, [1, 1], [])
    with pytest.raises(ValueError, match="two images for each"):
        Clifford(1, [1, 4], [])
    with pytest.raises(ValueError, match="letter 2 on qubit 5"):
        tableau.sign([(5, 2)])
