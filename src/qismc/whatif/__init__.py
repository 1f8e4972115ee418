"""The question of a check, asked about variants of its program, within counted effort.

Here: verdicts about a variant, and whether two programs end in the same states. Not here: which variants
there are (`edits/`, `faults/`) and which are tried (`repairs/`, `campaigns/`).
"""

from qismc.whatif.ends import same_ends, side_by_side
from qismc.whatif.question import Variants
