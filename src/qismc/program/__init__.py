"""Qiskit circuits, OpenQASM, QPY and Python files -> a `Program`: flat code with source positions.

Here belong the readers, the statements and what they touch, operators as products of named matrices, the
classical layout, and rewriting of code. Which state a statement leads to belongs into `system/`, numbers for
angles into `numbers/`, and changes that people make to programs into `edits/`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from qismc.common.loading import loading
from qismc.program.classical import (
    Binary,
    Const,
    Expression,
    Read,
    Store,
    Unary,
    Variable,
    mask,
    read_bits,
    wrap,
    write_bit,
    write_bits,
)
from qismc.program.foreign import is_circuit, is_statevector
from qismc.program.gates import FAR, FORMULAS, Base, are_unitary, base_matrix
from qismc.program.load import STDIN, files_of, load, read_program, read_text, returned, standard_input
from qismc.program.operators import MAX_MATRIX_QUBITS, PROJECT, RESET, Factor, Operator, dense, single
from qismc.program.phase_sums import AnglePart, Gaussian, phase_matrix
from qismc.program.program import (
    BUILT_IN,
    LOCATION,
    Program,
    Values,
    copies_of,
    fingerprint,
    is_reserved,
    reserved_meaning,
)
from qismc.program.qasm_text import blank_comments, version_of
from qismc.program.rendering import angle_text, bits_text, expression_text, render
from qismc.program.rewriting import (
    Piece,
    beside_idle,
    ending_at,
    final_measurements,
    inside,
    measured_at_the_end,
    original,
    reading_only,
    rewritten,
    with_partners,
)
from qismc.program.standard import CONTROLLED, STANDARD, does_what_it_says, named_gate, standard_operator
from qismc.program.statements import (
    Apply,
    Assign,
    AssignAt,
    Branch,
    Channel,
    Classical,
    Control,
    Goto,
    Havoc,
    Initialize,
    Jump,
    Leaf,
    Mark,
    Measure,
    Reset,
    Statement,
    Switch,
)
from qismc.program.virtual import PHYSICAL, PREFIX, Moment, Virtual, moment_of

if TYPE_CHECKING:
    from qismc.program.recording import QuantumCircuit, trace


def __getattr__(name: str) -> Any:
    """What needs Qiskit is loaded when it is asked for."""
    if name not in ("QuantumCircuit", "trace"):
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    with loading():
        return getattr(import_module("qismc.program.recording"), name)
