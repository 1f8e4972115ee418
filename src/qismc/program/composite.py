"""Qiskit gates that are not standard: definitions, controls, modifiers, checked matrices -> operators."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from qiskit.circuit import AnnotatedOperation, Barrier, ControlledGate, Delay, Gate, Instruction, Reset
from qiskit.circuit.annotated_operation import ControlModifier, InverseModifier
from qiskit.circuit.library import CUGate, DiagonalGate, PauliGate, StatePreparation, UGate, UnitaryGate
from qiskit.quantum_info import Clifford
from qiskit.quantum_info import Operator as QiskitOperator
from qiskit.quantum_info.operators.predicates import is_identity_matrix, is_unitary_matrix

from qismc.common.source import Source
from qismc.common.wording import counted
from qismc.errors import ProgramError, Undecided, UnsupportedError
from qismc.program.gates import Base
from qismc.program.operators import (
    MAX_MATRIX_QUBITS,
    Factor,
    Factors,
    Operator,
    compose,
    control_values,
    controlled,
    inverse,
    literal,
    power,
)
from qismc.program.standard import standard_operator

MAX_DEPTH = 100
"""Maximum nesting of gate definitions."""


def angle(parameter: Any, gate: str, source: Source | None) -> float:
    """A finite number; anything else is an error that names the gate."""
    try:
        value = float(parameter)
    except (TypeError, ValueError):
        hint = "call assign_parameters first"
        message = f"gate '{gate}' has the unbound parameter '{parameter}'"
        raise ProgramError(message, source=source, hint=hint) from None
    if not math.isfinite(value):
        raise ProgramError(f"gate '{gate}' has the angle {value}", source=source)
    return value


def is_unitary_operation(operation: Any) -> bool:
    """Does the operation stand for one operator (rather than for a list of statements)?"""
    if isinstance(operation, AnnotatedOperation):
        return is_unitary_operation(operation.base_op)
    return isinstance(operation, Gate | Clifford)


def gate_operator(operation: Any, source: Source | None) -> Operator:
    """The operator of any Qiskit gate, Clifford or annotated operation."""
    factors = _factors(operation, source, 0)
    angles = () if isinstance(operation, AnnotatedOperation) else _shown_angles(operation)
    label = getattr(operation, "label", None)
    if label is None and isinstance(operation, PauliGate):
        label = f"pauli[{operation.params[0]}]"
    return Operator(operation.name, operation.num_qubits, factors, angles, label=label)


def preparation_operator(operation: Any, source: Source | None) -> Operator:
    """An operator that maps |0..0> to the state of an `Initialize` instruction.

    A vector becomes |psi><0..0|, with the amplitudes as the user gave them.
    """
    width = operation.num_qubits
    if len(operation.params) == 1 << width and width <= MAX_MATRIX_QUBITS:
        factor = state_factor("initialize", operation.params, width, source)
        return Operator("initialize", width, (factor,), unitary=False)
    definition = operation.definition.copy()
    definition.data = [i for i in definition.data if not isinstance(i.operation, Reset)]
    label = f"initialize[{_state_text(operation)}]"
    return Operator("initialize", width, _defined(definition, "initialize", source, 0), label=label)


def _state_text(operation: Any) -> str:
    """`01+` for a label, `5` for a number, `vector` for amplitudes."""
    if isinstance(operation.params[0], str):
        return "".join(operation.params)
    return str(int(operation.params[0].real)) if len(operation.params) == 1 else "vector"


def kraus_operators(operation: Any, source: Source | None) -> tuple[Operator, ...]:
    """The Kraus family of a `kraus` instruction: its K^dagger K sum to the identity."""
    width = operation.num_qubits
    if width > MAX_MATRIX_QUBITS:
        hint = f"channels are supported up to {MAX_MATRIX_QUBITS} qubits"
        raise UnsupportedError(f"instruction 'kraus' acts on {width} qubits", source=source, hint=hint)
    matrices = [_square(matrix, width, "instruction 'kraus'", source) for matrix in operation.params]
    total = sum((k.conj().T @ k for k in matrices), np.zeros((1 << width, 1 << width)))
    if not is_identity_matrix(total, ignore_phase=False):
        hint = "the sum of K^dagger K must be the identity"
        raise ProgramError("the channel 'kraus' is not trace preserving", source=source, hint=hint)
    return tuple(Operator("kraus", width, (literal("kraus", k),), unitary=False) for k in matrices)


def _shown_angles(operation: Any) -> tuple[float, ...]:
    numbers = getattr(operation, "params", ())
    try:
        return tuple(float(p) for p in numbers) if len(numbers) <= 4 else ()
    except (TypeError, ValueError):
        return ()


def _factors(operation: Any, source: Source | None, depth: int) -> Factors:
    if depth > MAX_DEPTH:
        hint = "a gate must not contain itself"
        message = f"the definition of gate '{operation.name}' is nested more than {MAX_DEPTH} deep"
        raise ProgramError(message, source=source, hint=hint)
    if isinstance(operation, AnnotatedOperation):
        return _annotated(operation, source, depth)
    if isinstance(operation, Clifford):
        return _defined(operation.to_circuit(), "clifford", source, depth)
    if _is_standard(operation):
        angles = tuple(angle(p, operation.name, source) for p in operation.params)
        return standard_operator(operation.name, angles).factors
    if isinstance(operation, ControlledGate) and _has_faithful_base(operation):
        values = control_values(operation.num_ctrl_qubits, operation.ctrl_state)
        return controlled(_base_factors(operation, source, depth), values)
    return _special(operation, source, depth)


def _is_standard(operation: Any) -> bool:
    standard = getattr(operation, "_standard_gate", None)
    if isinstance(operation, ControlledGate) and operation.ctrl_state + 1 != 1 << operation.num_ctrl_qubits:
        return False
    return standard is not None


def _has_faithful_base(operation: ControlledGate) -> bool:
    """Gates with ancillas (v-chains) act on more qubits than controls and base."""
    base = operation.base_gate
    return base is not None and operation.num_qubits == operation.num_ctrl_qubits + base.num_qubits


def _base_factors(operation: ControlledGate, source: Source | None, depth: int) -> Factors:
    base = operation.base_gate
    if not isinstance(base, UGate):
        return _factors(base, source, depth + 1)
    # `cu` forgets its fourth angle in its base gate; with more controls the base gate has it, as one too many
    given = operation.params if isinstance(operation, CUGate) else base.params
    theta, phi, lam, *gamma = (angle(p, operation.name, source) for p in given)
    phase = tuple(Factor(Base("phase", (g,)), ()) for g in gamma)
    return standard_operator("u", (theta, phi, lam)).factors + phase


def _annotated(operation: AnnotatedOperation, source: Source | None, depth: int) -> Factors:
    base = operation.base_op
    if not is_unitary_operation(base):
        raise UnsupportedError(f"modifiers on '{base.name}', which is not a gate", source=source)
    factors, width = _factors(base, source, depth + 1), base.num_qubits
    for modifier in operation.modifiers:
        if isinstance(modifier, InverseModifier):
            factors = inverse(factors)
        elif isinstance(modifier, ControlModifier):
            factors = controlled(factors, control_values(modifier.num_ctrl_qubits, modifier.ctrl_state))
            width += modifier.num_ctrl_qubits
        else:
            factors = power(factors, width, modifier.power, f"pow {base.name}", source)
    return factors


def _special(operation: Any, source: Source | None, depth: int) -> Factors:
    if isinstance(operation, UnitaryGate):
        return (matrix_factor(operation, source),)
    if isinstance(operation, PauliGate):
        letters = reversed(operation.params[0])
        return tuple(Factor(Base(p.lower()), (k,)) for k, p in enumerate(letters) if p != "I")
    if isinstance(operation, DiagonalGate) and operation.num_qubits <= MAX_MATRIX_QUBITS:
        diagonal = np.diag(np.array(operation.params, dtype=complex))
        return (unitary_factor("diagonal", diagonal, operation.num_qubits, source),)
    if _is_vector_preparation(operation) and operation.num_qubits <= MAX_MATRIX_QUBITS:
        prepared = QiskitOperator(operation.definition).data
        return (unitary_factor(operation.name, prepared, operation.num_qubits, source),)
    return _by_definition(operation, source, depth)


def _is_vector_preparation(operation: Any) -> bool:
    return isinstance(operation, StatePreparation) and len(operation.params) == 1 << operation.num_qubits


def _by_definition(operation: Any, source: Source | None, depth: int) -> Factors:
    definition = operation.definition  # what runs: an evolution gate, say, is its product formula
    if definition is not None:
        if definition.num_qubits != operation.num_qubits:
            raise ProgramError(
                f"gate '{operation.name}' acts on {counted(operation.num_qubits, 'qubit')}, "
                f"its definition on {definition.num_qubits}",
                source=source,
                hint="the definition must act on the qubits of the gate",
            )
        return _defined(definition, operation.name, source, depth)
    if hasattr(operation, "__array__"):
        return (matrix_factor(operation, source),)
    raise UnsupportedError(
        f"gate '{operation.name}' is opaque: it has neither a definition nor a matrix",
        source=source,
        hint="set its definition, or transpile the circuit first",
    )


def _step(operation: Any, what: str, source: Source | None, depth: int) -> Factors:
    """One instruction of a definition: a gate, or an instruction that is nothing but a list of gates."""
    if is_unitary_operation(operation):
        return _factors(operation, source, depth)
    inner = getattr(operation, "definition", None)
    if inner is not None and not inner.clbits and depth <= MAX_DEPTH:
        return _defined(inner, what, source, depth)
    kind = "instruction" if isinstance(operation, Instruction) else "operation"
    message = f"gate '{what}' contains the {kind} '{operation.name}', which is not unitary"
    raise UnsupportedError(message, source=source)


def _defined(circuit: Any, what: str, source: Source | None, depth: int) -> Factors:
    """A definition's gates in order, its global phase first."""
    index = {qubit: k for k, qubit in enumerate(circuit.qubits)}
    phase = angle(circuit.global_phase, what, source)
    parts = []
    for instruction in circuit.data:
        operation = instruction.operation
        if isinstance(operation, Barrier | Delay):
            continue
        factors = _step(operation, what, source, depth + 1)
        place = [index[q] for q in instruction.qubits]
        parts.append((Operator(operation.name, operation.num_qubits, factors), place))
    start = (Factor(Base("phase", (phase,)), ()),) if phase else ()
    return start + compose(parts, what, source)


MAX_NORM_ERROR = 1e-5
"""Largest distance from 1 of the norm of a given state: many states are typed in with few digits."""


def matrix_factor(operation: Any, source: Source | None) -> Factor:
    """The matrix of a gate as a factor; whatever is not unitary by Qiskit's own measure is refused."""
    return unitary_factor(operation.name, _matrix(operation, source), operation.num_qubits, source)


def unitary_factor(name: str, matrix: Any, width: int, source: Source | None) -> Factor:
    """A literal matrix on `width` qubits that is finite and unitary."""
    matrix = _square(matrix, width, f"gate '{name}'", source)
    if not is_unitary_matrix(matrix):
        raise ProgramError(f"the matrix of gate '{name}' is not unitary", source=source)
    return literal(name, matrix)


def state_factor(name: str, amplitudes: Any, width: int, source: Source | None) -> Factor:
    """|psi><0..0| with the amplitudes as the user gave them."""
    column = np.zeros((1 << width, 1 << width), dtype=complex)
    column[:, 0] = amplitudes
    column = _square(column, width, f"instruction '{name}'", source)
    norm = float(np.linalg.norm(column))
    if abs(norm - 1) > MAX_NORM_ERROR:
        raise ProgramError(f"the state of '{name}' has norm {norm:g}, not 1", source=source)
    return literal(name, column)


def _matrix(operation: Any, source: Source | None) -> Any:
    if operation.num_qubits > MAX_MATRIX_QUBITS:
        raise UnsupportedError(
            f"gate '{operation.name}' is a matrix on {operation.num_qubits} qubits",
            source=source,
            hint=f"matrices are supported up to {MAX_MATRIX_QUBITS} qubits; use a circuit instead",
        )
    try:
        return operation.to_matrix()
    except Undecided:
        raise
    except Exception as error:  # the user's own code, or Qiskit's complaint about it
        raise ProgramError(f"gate '{operation.name}' gives no matrix: {error}", source=source) from None


def _square(matrix: Any, width: int, what: str, source: Source | None) -> Any:
    """The matrix as a finite complex array of the right size."""
    try:
        array = np.asarray(matrix, dtype=complex)
    except (TypeError, ValueError):
        raise ProgramError(f"{what} has no matrix of numbers", source=source) from None
    size = 1 << width
    if array.shape != (size, size):
        shape = " x ".join(map(str, array.shape)) or "single number"
        message = f"{what} has a {shape} matrix; on {width} qubits it must be {size} x {size}"
        raise ProgramError(message, source=source)
    if not np.all(np.isfinite(array)):
        raise ProgramError(f"{what} has a matrix entry that is not finite", source=source)
    return array
