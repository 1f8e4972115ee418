"""How sure a verdict is: bounds on the probability of an error, proofs, certificates in files.

Checking a certificate is the business of `verifier/`, which shares no code with this room.
"""

from qismc.certify.assurance import WEAK_BOUND, Soundness, assured, soundness
from qismc.certify.writing import certificate, check_writable, text_of
