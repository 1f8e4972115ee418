"""A second look at verdicts: other primes, and every edge checked on its own."""

from qismc.certify.assurance import WEAK_BOUND, Soundness, assured, soundness
from qismc.certify.writing import certificate, check_writable, text_of
