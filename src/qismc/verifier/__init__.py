"""Checks written certificates, on its own: nothing is shared with the solver but the readers of programs and

formulas. Its arithmetic, its steps through a program and its temporal logic are small and separate.
"""

from qismc.verifier.certificate import certificate_of, read_certificate
from qismc.verifier.command import run
from qismc.verifier.outcome import NotChecked, Refused
from qismc.verifier.verifying import Accepted, verify
