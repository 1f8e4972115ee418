"""Edits: small changes of a program, as data that can be applied, printed, sent and tried."""

from qismc.edits.conditions import visible_bits
from qismc.edits.edit import (
    Action,
    Edit,
    Exchange,
    Insert,
    Remove,
    Replace,
    action_text,
    inserted_text,
    source_of,
)
from qismc.edits.injection import without_final_measurements
from qismc.edits.kinds import GATES, KINDS, PAULIS, Room, gate
from qismc.edits.patches import Hunk, Patch, patch
from qismc.edits.places import Place, Places
from qismc.edits.sampling import check_kinds, drawn
