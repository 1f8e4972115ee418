"""Strongest post-conditions and weakest pre-conditions, with provenance."""

from qismc.fixpoint.arrivals import Arrival
from qismc.fixpoint.float_check import (
    DOUBT,
    LIKELY,
    Shadow,
    confirm,
    has_dropped,
    hold_still,
    is_same,
    is_stretched,
    least_amplitude,
    least_backwards,
    strongest_dropped,
)
from qismc.fixpoint.post import Blocks, LocatedState, Posts
from qismc.fixpoint.pre import Pres
from qismc.fixpoint.solving import Seed, Setting, Solved, Starts, check_selector, solve, solve_along
from qismc.fixpoint.stations import At, adjoint
