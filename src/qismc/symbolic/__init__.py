"""Classical values as Boolean functions of recorded outcomes: shared by levels and stabilisers."""

from qismc.symbolic.arithmetic import BitArithmetic, NotSymbolic, positions
from qismc.symbolic.asked import Asked, at_start
from qismc.symbolic.logic import And, Bool, Literal, Logic, Xor, evaluate, levels_of
