"""Error-correcting codes against Qiskit's Pauli algebra and a simulator that follows every branch."""

from itertools import combinations

import pytest
from qiskit.quantum_info import PauliList, StabilizerState

from benchmarks import codes
from benchmarks.case import Case
from benchmarks.codes import five_qubit_code, memory, repetition_code, steane_code, surface_code

from .oracle import verdict


def strings(case: Case) -> list[str]:
    return case.props["code"].removeprefix("stab(").removesuffix(") on d").split(", ")


ALL = [
    (repetition_code(3), 3),
    (repetition_code(6), 6),
    (five_qubit_code(), 5),
    (steane_code(), 7),
    (surface_code(3), 9),
    (surface_code(5), 25),
]


@pytest.mark.parametrize(("case", "length"), ALL, ids=lambda value: getattr(value, "name", str(value)))
def test_the_stabilisers_define_one_state(case: Case, length: int) -> None:
    """As many commuting, independent Pauli strings as qubits."""
    paulis = strings(case)
    assert len(paulis) == length == len(paulis[0])
    group = PauliList([pauli[::-1] for pauli in paulis])
    assert all(a.commutes(b) for a, b in combinations(group, 2))
    StabilizerState.from_stabilizer_list([pauli[::-1] for pauli in paulis])


@pytest.mark.parametrize("distance", [3, 5])
def test_surface_code_checks_have_weight_two_or_four(distance: int) -> None:
    *checks, logical = strings(surface_code(distance))
    weights = [len(check.replace("I", "")) for check in checks]
    assert weights.count(2) == 2 * (distance - 1)
    assert weights.count(4) == (distance - 1) ** 2
    assert len(logical.replace("I", "")) == distance


@pytest.mark.parametrize("position", range(3))
def test_repetition_code_corrects_every_flip(position: int) -> None:
    case = repetition_code(3, rounds=2, position=position)
    assert verdict(case) == case.expected == "holds"


@pytest.mark.parametrize("error", "XYZ")
@pytest.mark.parametrize("position", [0, 3])
def test_five_qubit_code_corrects_every_error(position: int, error: str) -> None:
    case = five_qubit_code(position=position, error=error)
    assert verdict(case) == case.expected == "holds"


@pytest.mark.parametrize("error", "XYZ")
def test_larger_codes_correct_along_random_trajectories(error: str) -> None:
    for case in (steane_code(position=4, error=error), surface_code(3, position=5, error=error)):
        assert verdict(case, seed=ord(error)) == case.expected == "holds"


@pytest.mark.parametrize("build", [repetition_code, surface_code])
def test_a_forgotten_correction_is_noticed_at_distance_three(build: object) -> None:
    assert callable(build)
    case = build(3, rounds=2, broken="decoder")
    assert verdict(case, seed=1) == case.expected == "violated"


@pytest.mark.parametrize("build", [five_qubit_code, steane_code])
def test_a_forgotten_correction_is_noticed(build: object) -> None:
    assert callable(build)
    case = build(broken="decoder")
    assert verdict(case, seed=1) == case.expected == "violated"


def test_impossible_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="distance is 2; it must be at least 3"):
        repetition_code(2)
    with pytest.raises(ValueError, match="distance is 4; it must be odd"):
        surface_code(4)
    with pytest.raises(ValueError, match="error 'Z' at 0 is not corrected by this code"):
        repetition_code(3, error="Z")
    with pytest.raises(ValueError, match="positions 0 to 4 and errors X, Y, Z"):
        five_qubit_code(position=5)
    with pytest.raises(ValueError, match="rounds is 0"):
        memory(codes.Code("x", ("ZZ",), "XX", "X"), 0, 0, "X", None)
