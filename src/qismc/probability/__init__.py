"""How likely, how often: certain and numeric probabilities in coordinates of the reached subspaces."""

from qismc.probability.chain import Matrix
from qismc.probability.chances import Chances
from qismc.probability.coordinates import Coordinates, ExactEdge
from qismc.probability.distribution import Loop, Outcomes
from qismc.probability.exact_forms import Field, TooLarge, components, least_solution
from qismc.probability.frames import DENSE_ROUNDING, MOST_ARRAY_QUBITS, NEW_DIRECTION, TRAIN_ROUNDING, Arrow
from qismc.probability.likelihood import (
    REPRESENTATION,
    Likelihood,
    NumericUntil,
    Undecidable,
    bound_text,
    compared,
    recognised,
)
from qismc.probability.observable import Estimate, PauliSum, read_observable
from qismc.probability.start_rounding import making
from qismc.probability.visits import SLACK, Arrivals, StartForm, expected_visits
