"""A program with its start, annotations and numbers: what everything else is asked of."""

from qismc.model import model
from qismc.model.conditions import places
from qismc.model.model import Model, read_parts
