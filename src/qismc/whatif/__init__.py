"""The same questions asked about variants of a program."""

from qismc.whatif.ends import same_ends, side_by_side
from qismc.whatif.question import Variants
