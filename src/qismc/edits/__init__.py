"""Small changes of a program: as data, as words, as a diff of its source text.

Here: kinds of edits, where they are possible, edits drawn at random. Not here: whether a formula holds
after an edit (`whatif/`), and the search for edits after which it does (`repairs/`).
"""

from qismc.edits.edit import (
    Action,
    Edit,
    Exchange,
    Insert,
    Remove,
    Replace,
    action_text,
    heads_loop,
    inserted_text,
    source_of,
)
from qismc.edits.kinds import GATES, KINDS, PAULIS, STEPS, Room, gate
from qismc.edits.patches import Hunk, Patch, patch
from qismc.edits.sampling import check_kinds, drawn, without_final_measurements
from qismc.edits.similar import visible_bits
