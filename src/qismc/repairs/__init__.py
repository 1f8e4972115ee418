"""Edits after which a violated formula holds: a few as hints at its causes, or a list of repairs.

Here: which edits are tried in which order, what tells wrong ones apart without a check, the two searches.
Not here: what an edit is (`edits/`) and the question that is asked about an edited program (`whatif/`).
"""

from qismc.repairs.causes import check, suspecting
from qismc.repairs.repairs import Repair, Repairs
