"""Every gate class of Qiskit's library against Qiskit's own matrix of it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.circuit import Gate
from qiskit.circuit import library as lib
from qiskit.quantum_info import Operator, Pauli, SparsePauliOp, random_unitary

import qismc
from qismc.errors import UnsupportedError
from qismc.program.composite import gate_operator
from qismc.program.from_qiskit import read_circuit
from qismc.program.statements import Apply

from .executor import matrix_of

ANGLES = (0.3, -1.1, 0.7, 2.2)
OPAQUE = {"WeightedSumGate"}
"""Not even Qiskit can say what they do without further qubits."""


def unitary(seed: int, size: int = 2) -> Any:
    return random_unitary(size, seed=seed).data


CASES: dict[str, list[Callable[[], Gate]]] = {
    "AndGate": [lambda: lib.AndGate(2), lambda: lib.AndGate(3, [1, 0, -1])],
    "BitFlipOracleGate": [lambda: lib.BitFlipOracleGate("(a & b) | ~c")],
    "BitwiseXorGate": [lambda: lib.BitwiseXorGate(3, 5)],
    "DiagonalGate": [lambda: lib.DiagonalGate([1, -1, 1j, np.exp(0.3j)]), lambda: lib.DiagonalGate([1, -1])],
    "ExactReciprocalGate": [
        lambda: lib.ExactReciprocalGate(2, 0.5),
        lambda: lib.ExactReciprocalGate(3, 0.3, True),
    ],
    "FullAdderGate": [lambda: lib.FullAdderGate(1), lambda: lib.FullAdderGate(2)],
    "GlobalPhaseGate": [lambda: lib.GlobalPhaseGate(0.4)],
    "GraphStateGate": [lambda: lib.GraphStateGate([[0, 1, 0], [1, 0, 1], [0, 1, 0]])],
    "HalfAdderGate": [lambda: lib.HalfAdderGate(1), lambda: lib.HalfAdderGate(2)],
    "HamiltonianGate": [lambda: lib.HamiltonianGate(np.array([[1, 0.5], [0.5, -1]]), 0.7)],
    "InnerProductGate": [lambda: lib.InnerProductGate(2)],
    "IntegerComparatorGate": [
        lambda: lib.IntegerComparatorGate(2, 2),
        lambda: lib.IntegerComparatorGate(2, 3, geq=False),
        lambda: lib.IntegerComparatorGate(2, 0),
    ],
    "LinearAmplitudeFunctionGate": [
        lambda: lib.LinearAmplitudeFunctionGate(2, [0.5, 1], [0, 0.1], (0, 1), (0, 1), breakpoints=[0, 0.5])
    ],
    "LinearFunction": [lambda: lib.LinearFunction([[1, 1, 0], [0, 1, 0], [0, 1, 1]])],
    "LinearPauliRotationsGate": [
        lambda: lib.LinearPauliRotationsGate(2, 0.4, 0.2),
        lambda: lib.LinearPauliRotationsGate(2, 0.4, 0.2, basis="x"),
        lambda: lib.LinearPauliRotationsGate(2, 0.4, 0.2, basis="z"),
    ],
    "MCGupDiag": [lambda: lib.MCGupDiag(unitary(5), 2, 0, 0)],
    "MCMTGate": [
        lambda: lib.MCMTGate(lib.ZGate(), 2, 2),
        lambda: lib.MCMTGate(lib.RYGate(0.3), 1, 2, ctrl_state=0),
    ],
    "MCPhaseGate": [lambda: lib.MCPhaseGate(0.4, 3), lambda: lib.MCPhaseGate(0.4, 1)],
    "MCU1Gate": [lambda: lib.MCU1Gate(0.4, 2)],
    "MCXGate": [
        lambda: lib.MCXGate(1),
        lambda: lib.MCXGate(2),
        lambda: lib.MCXGate(3),
        lambda: lib.MCXGate(4),
        lambda: lib.MCXGate(5),
        lambda: lib.MCXGate(3, ctrl_state=2),
    ],
    "MCXGrayCode": [lambda: lib.MCXGrayCode(3), lambda: lib.MCXGrayCode(5)],
    "MCXRecursive": [lambda: lib.MCXRecursive(3), lambda: lib.MCXRecursive(5)],
    "MCXVChain": [lambda: lib.MCXVChain(3), lambda: lib.MCXVChain(4, dirty_ancillas=True)],
    "MSGate": [lambda: lib.MSGate(3, 0.4)],
    "ModularAdderGate": [lambda: lib.ModularAdderGate(2)],
    "MultiplierGate": [lambda: lib.MultiplierGate(1), lambda: lib.MultiplierGate(2, 2)],
    "OrGate": [lambda: lib.OrGate(2), lambda: lib.OrGate(3, [1, 0, -1])],
    "PauliEvolutionGate": [lambda: lib.PauliEvolutionGate(SparsePauliOp(["XX", "ZZ"], [0.3, 0.2]), 0.5)],
    "PauliGate": [lambda: lib.PauliGate("XIYZ"), lambda: lib.PauliGate("II")],
    "PauliProductRotationGate": [lambda: lib.PauliProductRotationGate(Pauli("XYZ"), 0.4)],
    "PermutationGate": [lambda: lib.PermutationGate([2, 0, 3, 1])],
    "PhaseOracleGate": [lambda: lib.PhaseOracleGate("(a & b) | ~c")],
    "PiecewiseChebyshevGate": [lambda: lib.PiecewiseChebyshevGate(lambda x: 0.2 * x, 2, 1, [0, 2])],
    "PiecewiseLinearPauliRotationsGate": [
        lambda: lib.PiecewiseLinearPauliRotationsGate(2, [0, 2], [0.3, 0.1], [0, 0.2])
    ],
    "PiecewisePolynomialPauliRotationsGate": [
        lambda: lib.PiecewisePolynomialPauliRotationsGate(2, [0, 2], [[0.1, 0.2], [0.3]])
    ],
    "PolynomialPauliRotationsGate": [lambda: lib.PolynomialPauliRotationsGate(2, [0.1, 0.2, 0.3])],
    "QFTGate": [lambda: lib.QFTGate(1), lambda: lib.QFTGate(4)],
    "QuadraticFormGate": [lambda: lib.QuadraticFormGate(2, [[0, 1], [1, 2]], [1, -1], 1)],
    "RVGate": [lambda: lib.RVGate(0.1, 0.2, 0.3)],
    "StatePreparation": [
        lambda: lib.StatePreparation([0.6, 0.8j]),
        lambda: lib.StatePreparation("01+-rl"),
        lambda: lib.StatePreparation(5, 3),
        lambda: lib.StatePreparation([0.5, -0.5, 0.5j, 0.5], inverse=True),
    ],
    "UCGate": [
        lambda: lib.UCGate([unitary(1), unitary(2)]),
        lambda: lib.UCGate([unitary(k) for k in range(4)]),
        lambda: lib.UCGate([unitary(3)]),
        lambda: lib.UCGate([unitary(1), unitary(2)], up_to_diagonal=True),
    ],
    "UCPauliRotGate": [lambda: lib.UCPauliRotGate([0.1, 0.2, 0.3, 0.4], "X")],
    "UCRXGate": [lambda: lib.UCRXGate([0.3]), lambda: lib.UCRXGate([0.1, 0.2, -0.3, 0.4])],
    "UCRYGate": [lambda: lib.UCRYGate([0.3]), lambda: lib.UCRYGate([0.1, 0.2, -0.3, 0.4])],
    "UCRZGate": [lambda: lib.UCRZGate([0.3]), lambda: lib.UCRZGate([0.1, 0.2, -0.3, 0.4])],
    "UniformSuperpositionGate": [lambda: lib.UniformSuperpositionGate(5)],
    "UnitaryGate": [lambda: lib.UnitaryGate(unitary(4, 4))],
    "WeightedSumGate": [lambda: lib.WeightedSumGate(2, [1, 2])],
}


def gate_classes() -> dict[str, type[Gate]]:
    found = {name: getattr(lib, name) for name in dir(lib)}
    return {name: kind for name, kind in found.items() if inspect.isclass(kind) and issubclass(kind, Gate)}


def simple(kind: type[Gate]) -> list[Callable[[], Gate]]:
    """A gate that takes nothing but angles."""
    taken = [p for p in inspect.signature(kind.__init__).parameters.values() if p.default is p.empty]
    angles = [p for p in taken if p.kind is p.POSITIONAL_OR_KEYWORD and p.name != "self"]
    return [lambda: kind(*ANGLES[: len(angles)])]


def cases() -> list[Any]:
    return [
        pytest.param(make, id=f"{name}-{number}")
        for name, kind in gate_classes().items()
        if name not in OPAQUE
        for number, make in enumerate(CASES.get(name) or simple(kind))
    ]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("make", cases())
def test_matrix(make: Callable[[], Gate]) -> None:
    gate = make()
    if gate.definition is not None and gate.definition.num_qubits != gate.num_qubits:
        pytest.skip("Qiskit 2.0 defines products of fewer bits on too many qubits")
    np.testing.assert_allclose(matrix_of(gate_operator(gate, None)), Operator(gate).data, atol=1e-9)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["C3XGate", "UCRYGate", "ExactReciprocalGate", "MCXGrayCode", "QFTGate"])
def test_appended_to_a_circuit(name: str) -> None:
    """The fast way for standard gates and the way for all others, through the whole reader."""
    gate = (CASES.get(name) or simple(gate_classes()[name]))[0]()
    circuit = QuantumCircuit(gate.num_qubits)
    circuit.h(range(gate.num_qubits))
    circuit.append(gate, range(gate.num_qubits))
    matrix = np.eye(1 << gate.num_qubits, dtype=complex)
    for statement in read_circuit(circuit).code:
        if isinstance(statement, Apply):
            matrix = on_all(statement, gate.num_qubits) @ matrix
    assert Operator(matrix).equiv(Operator(circuit))


def on_all(statement: Apply, width: int) -> Any:
    circuit = QuantumCircuit(width)
    circuit.append(lib.UnitaryGate(matrix_of(statement.operator)), list(statement.qubits))
    return Operator(circuit).data


@pytest.mark.parametrize("name", sorted(OPAQUE))
def test_opaque(name: str) -> None:
    if name not in gate_classes():
        pytest.skip(f"this Qiskit has no {name}")
    with pytest.raises(UnsupportedError, match="is opaque"):
        gate_operator(CASES[name][0](), None)


def test_instructions_that_are_no_gates() -> None:
    """An isometry prepares its first column; a product of Paulis is measured without looking at each."""
    circuit = QuantumCircuit(2)
    circuit.append(lib.Isometry(np.eye(4)[:, [2, 1]], 0, 0), [0, 1])
    assert qismc.check(circuit, "AG (leaf -> |01>)")
    if not hasattr(lib, "PauliProductMeasurement"):
        return
    parity = QuantumCircuit(2, 1)
    parity.h(0)
    parity.cx(0, 1)
    parity.append(lib.PauliProductMeasurement(Pauli("-ZZ")), [0, 1], [0])
    assert qismc.check(parity, "AG (leaf -> c == 1 & (|00> + |11>))")
