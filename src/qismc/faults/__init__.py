"""Faults: a program in which the environment may inject Pauli errors and flip readouts."""

from qismc.faults.injection import FAULT, is_fault, with_faults
from qismc.faults.model import Faults
