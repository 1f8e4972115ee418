"""Clifford programs with Pauli feed-forward: stabiliser groups whose signs are functions of the outcomes.

One walk follows all outcomes at once (`walk`); questions are answered with linear equations or decision
diagrams (`functions`). Propositions are read as stabiliser codes (`codes`). Which formulas are asked here is
decided in `deciders/`.
"""

from qismc.stabiliser.codes import Across, Codes, Impossible, Requirement, Within
from qismc.stabiliser.decide import Answers, Decisive, Event
from qismc.stabiliser.functions import Solution
from qismc.stabiliser.gates import is_clifford
from qismc.stabiliser.places import Places
from qismc.stabiliser.replay import Replay, journey
from qismc.stabiliser.state import History
from qismc.symbolic import NotSymbolic
