"""Groups of Pauli strings, against all their elements one by one and against dense projectors."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import numpy.typing as npt
import pytest

from qismc._core import Strings
from qismc.common.paulis import Pauli
from qismc.stabiliser.codes import strings_of
from qismc.stabiliser.gates import pauli_matrix

WIDTH = 4
Element = tuple[int, int, bool]


def paulis_of(strings: Strings) -> list[Pauli]:
    """The same strings, one by one."""
    return [Pauli.of(*strings[k]) for k in range(len(strings))]


def elements(group: list[Pauli]) -> set[Element]:
    """All products."""
    found = set()
    for chosen in product((0, 1), repeat=len(group)):
        total = Pauli(0, 0, 0)
        for factor, digit in zip(group, chosen, strict=True):
            total = total * factor if digit else total
        found.add((total.x, total.z, total.minus))
    return found


def commuting(rng: random.Random, count: int) -> list[Pauli]:
    """Random strings, some of which may be products of others."""
    found: list[Pauli] = []
    while len(found) < count:
        new = Pauli.of(
            ((q, letter) for q in range(WIDTH) if (letter := rng.randrange(4))), minus=rng.random() < 0.5
        )
        if new.x | new.z and all(new.commutes(other) for other in found):
            found.append(new)
    return found


def projector(group: list[Pauli]) -> npt.NDArray[np.complex128]:
    found = np.eye(1 << WIDTH, dtype=complex)
    for pauli in group:
        found = found @ (np.eye(1 << WIDTH) + pauli_matrix(pauli, WIDTH)) / 2
    return found


@pytest.mark.parametrize("seed", range(40))
def test_what_two_groups_share(seed: int) -> None:
    rng = random.Random(seed)
    left, right = commuting(rng, rng.randrange(1, 5)), commuting(rng, rng.randrange(1, 5))
    if any(not strings_of(group).is_consistent for group in (left, right)):
        return
    ours, theirs = elements(left), elements(right)
    unsigned = {(x, z) for x, z, _ in ours} & {(x, z) for x, z, _ in theirs}
    first, second = strings_of(left).common(strings_of(right))
    assert elements(list(paulis_of(first))) == {e for e in ours if e[:2] in unsigned}
    assert elements(list(paulis_of(second))) == {e for e in theirs if e[:2] in unsigned}
    agreeing, contradicts = strings_of(left).compared(strings_of(right))
    assert elements(list(paulis_of(agreeing))) == ours & theirs
    assert contradicts == np.allclose(projector(left) @ projector(right), 0)


@pytest.mark.parametrize("seed", range(40))
def test_what_two_products_share(seed: int) -> None:
    """Kets are compared letter by letter; some speak of some qubits only."""
    rng = random.Random(seed)
    sides = []
    for _ in range(2):
        qubits = sorted(rng.sample(range(WIDTH), rng.randrange(1, WIDTH + 1)))
        sides.append(Strings.product("".join(rng.choices("01+-r", k=len(qubits))), qubits))
    left, right = (list(paulis_of(side)) for side in sides)
    agreeing, contradicts = sides[0].compared(sides[1])
    assert elements(list(paulis_of(agreeing))) == elements(left) & elements(right)
    assert 1 << len(agreeing) == len(elements(left) & elements(right))
    assert contradicts == np.allclose(projector(left) @ projector(right), 0)


@pytest.mark.parametrize("seed", range(40))
def test_strings_whose_product_is_minus_one_stabilise_nothing(seed: int) -> None:
    group = commuting(random.Random(seed), 5)
    assert strings_of(group).is_consistent == (not np.allclose(projector(group), 0))


def test_products_and_letters() -> None:
    states = {"0": [1, 0], "1": [0, 1], "+": [1, 1], "-": [1, -1], "r": [1, 1j], "l": [1, -1j]}
    for letters in ("01+-", "rl0+", "1--r"):
        vector = np.ones(1)
        for letter in letters:
            vector = np.kron(states[letter], vector)
        for pauli in paulis_of(Strings.product(letters, range(WIDTH))):
            assert np.allclose(pauli_matrix(pauli, WIDTH) @ vector, vector)
    strings = Strings()
    strings.read([(-1, "XIY"), (1, "ZII")], [4, 0, 1])
    assert strings[0] == ([(4, 1), (1, 3)], True)
    assert strings[1] == ([(4, 2)], False)
    with pytest.raises(ValueError, match="no Pauli"):
        strings.read([(1, "XIQ")], [0, 1, 2])
    with pytest.raises(ValueError, match="no one-qubit state"):
        Strings.product("0?", [0, 1])
    with pytest.raises(ValueError, match="one letter for each"):
        Strings.product("00", [0])


@pytest.mark.parametrize("seed", range(30))
def test_letters_are_read_wherever_they_stand(seed: int) -> None:
    rng = random.Random(seed)
    letters = "".join(rng.choices("IXYZ", (3 ** rng.randrange(5), 1, 1, 1), k=rng.randrange(1, 41)))
    found = Strings()
    found.read([(-1, letters), (1, letters)], list(range(len(letters))))
    expected = [(k, "IXZY".index(letter)) for k, letter in enumerate(letters) if letter != "I"]
    assert [found[k] for k in range(2)] == [(expected, True), (expected, False)]


def test_other_letters_are_refused() -> None:
    with pytest.raises(ValueError, match="Q is no Pauli"):
        Strings().read([(1, "I" * 9 + "Q" + "I" * 9)], list(range(19)))
