"""The distribution of what registers hold at the end."""

from qismc.distributions.quantities import expectation, outcomes
from qismc.distributions.survey import Survey
