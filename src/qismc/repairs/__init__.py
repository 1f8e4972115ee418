"""Repairs: edits after which a program satisfies its specification."""

from qismc.repairs import checked
from qismc.repairs.checked import check, suspecting
from qismc.repairs.repairs import Repair, Repairs
