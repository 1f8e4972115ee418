"""How likely path formulas are, and how often places are visited, in coordinates of the reached subspaces.

Probabilities 0 and 1 are decided exactly (`certainty`), fractions over the field of the engine
(`exact_forms`), all others by floating point with an error bound (`frames`, `chain`, `effects`,
`likelihood`). `chances` joins them to the truth of probability formulas at locations. What users ask about
registers is in `distributions/`.
"""

from qismc.probability.chain import Matrix, spectrum
from qismc.probability.chances import Chances
from qismc.probability.coordinates import Coordinates
from qismc.probability.distribution import Loop, Outcomes
from qismc.probability.effects import Visits, expected_visits, solve_visits
from qismc.probability.exact_forms import ExactVisits, Field, TooLarge
from qismc.probability.frames import (
    DENSE_ROUNDING,
    MOST_ARRAY_QUBITS,
    NEW_DIRECTION,
    TRAIN_ROUNDING,
    Arrow,
    making,
)
from qismc.probability.likelihood import (
    REPRESENTATION,
    Likelihood,
    Undecidable,
    bound_text,
    compared,
    recognised,
)
from qismc.probability.observable import Estimate, PauliSum, read_observable
from qismc.probability.until import NumericUntil
