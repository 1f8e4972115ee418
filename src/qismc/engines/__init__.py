"""Engines compute with vectors: exact ones over finite fields, floating point on trains and arrays."""

from qismc.engines.core import TooManyOperations
from qismc.engines.dense import DenseBlocks, DenseEngine
from qismc.engines.directed import Directions, directions
from qismc.engines.engine import Amplitudes, Block, Engine, Exact, Numeric, Span, Vector, ledger_of
from qismc.engines.exact import ExactEngine, SizedVector, has_unit, size_of
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
