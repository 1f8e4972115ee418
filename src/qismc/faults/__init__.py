"""Faults: the same program with errors that the environment may choose, at most so many.

Here: which errors may happen where, and the program with them. Not here: edits that a person makes
(`edits/`).
"""

from qismc.faults.injection import FAULT, is_fault, with_faults
from qismc.faults.model import Faults
