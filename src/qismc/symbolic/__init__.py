"""Classical values as Boolean functions of recorded outcomes: what levels and stabilisers share.

Boolean functions, arithmetic on words of them, and questions with their conditions as such functions. Nothing
here knows of vectors or of stabiliser groups. `NotSymbolic` says that one of the two cannot express
something.
"""

from qismc.symbolic.arithmetic import BitArithmetic, NotSymbolic, nested, positions
from qismc.symbolic.asked import Asked, at_start
from qismc.symbolic.logic import And, Bool, Literal, Logic, Xor, evaluate, levels_of
