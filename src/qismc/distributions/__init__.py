"""The distribution of registers, and expectation values, at the first visit of a place.

Each question is answered by the cheapest way that applies: counting on stabiliser groups, reading the states
before the last measurements, the store on levels, or one location after the other. The mathematics is in
`probability/`.
"""

from qismc.distributions.quantities import expectation, outcomes
from qismc.distributions.survey import Survey
