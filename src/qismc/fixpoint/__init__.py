"""Strongest post-conditions and weakest pre-conditions, with provenance."""

from qismc.fixpoint.confirming import confirm
from qismc.fixpoint.crossings import strongest_dropped
from qismc.fixpoint.float_replay import Shadow
from qismc.fixpoint.post import Blocks, Found, Posts
from qismc.fixpoint.pre import Pres
from qismc.fixpoint.propagate import Arrival
from qismc.fixpoint.rounding_check import (
    DOUBT,
    LIKELY,
    has_dropped,
    hold_still,
    is_same,
    is_stretched,
    least_amplitude,
    least_backwards,
)
from qismc.fixpoint.solving import Seed, Setting, Solved, Starts, check_selector, solve, solve_along
from qismc.fixpoint.stations import At, adjoint
