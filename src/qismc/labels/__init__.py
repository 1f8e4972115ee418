"""Which atoms hold where: membership, certainty and probabilities, asked for lazily."""

from qismc.labels.classical import ClassicalLabels
from qismc.labels.labels import Chances, Labels
