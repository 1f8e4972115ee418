"""Faults: the same program with errors that the environment may choose, at most so many.

Here: which errors may happen where, and the program with them. Not here: edits that a person makes
(`edits/`).
"""

from qismc.faults.model import FAULT, Faults, is_fault, with_faults
