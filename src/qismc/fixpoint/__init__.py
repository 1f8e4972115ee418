"""Strongest postconditions and weakest preconditions: spans of vectors, each with the execution that made it.

One routine spreads vectors over a graph (`propagate`); `post` and `pre` give it the edges forwards and
backwards. `float_check` computes the same vectors in floating point and says whether they can be told from
rounding. Which formulas hold of these spans is decided in `ctl/` and `probability/`.
"""

from qismc.fixpoint.arrivals import Arrival
from qismc.fixpoint.float_check import (
    DOUBT,
    LIKELY,
    FloatReplay,
    FloatStates,
    check_stable,
    confirm,
    has_dropped,
    is_same,
    is_stretched,
    least_amplitude,
    least_backwards,
    strongest_dropped,
)
from qismc.fixpoint.post import Blocks, LocatedState, Posts
from qismc.fixpoint.pre import Pres, adjoint
from qismc.fixpoint.solving import Seed, Setting, Solved, Starts, check_selector, solve, solve_along
