"""Engines compute with vectors: exact ones over finite fields, floating point on trains and arrays."""

from qismc.engines.dense import DenseEngine
from qismc.engines.dense_blocks import DenseBlocks
from qismc.engines.directed import Directions, directions
from qismc.engines.engine import Amplitudes, Block, Engine, Span, Vector
from qismc.engines.exact import CountingEngine, SizedVector, has_unit, ledger_of, size_of
from qismc.engines.native import TrainEngine
from qismc.engines.native_errors import TooManyOperations
from qismc.engines.numeric import SMALL, SMALL_ENOUGH, Numeric, numeric_engine
from qismc.engines.ordering import (
    FEWEST_ORDERED,
    beside_partners,
    guessed_order,
    interactions,
    level_order,
    nearest,
    order_of,
)
from qismc.engines.runs import WORTH, Course, behind, through
