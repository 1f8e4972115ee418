"""How likely path formulas are, and how often places are visited, in coordinates of the reached subspaces.

Probabilities 0 and 1 are decided exactly (`certainty`), fractions over the field of the engine
(`exact_forms`), all others by floating point with an error bound (`frames`, `chain`, `effects`, `visits`,
`likelihood`). `chances` joins them to the truth of probability formulas at locations. What users ask about
registers is in `distributions/`.
"""

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
