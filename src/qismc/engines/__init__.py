"""Engines compute with vectors over qubits: exact ones over finite fields, and floating point.

Here belong the protocols `Engine`, `Exact` and `Numeric`, a file for each engine, and what they share:
compiled operators, spans, orders of the qubits, runs that are continued. Which engine a model takes is
decided in `model`; what a vector means for the user is the subject of `propositions`.
"""

from qismc.engines.core import TooManyOperations
from qismc.engines.dense import DenseBlocks, DenseEngine
from qismc.engines.directed import Directions, directions
from qismc.engines.engine import Amplitudes, Block, Engine, Exact, Numeric, Span, Vector, ledger_of
from qismc.engines.exact import ExactEngine, has_unit, size_of
from qismc.engines.native import NativeEngine
from qismc.engines.numeric import SMALL, SMALL_ENOUGH, numeric_engine
from qismc.engines.ordering import (
    FEWEST_ORDERED,
    beside_partners,
    guessed_order,
    interactions,
    level_order,
    nearest,
    order_of,
)
from qismc.engines.runs import WORTH, LongRun, behind, through
