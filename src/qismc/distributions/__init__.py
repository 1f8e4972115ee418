"""The distribution of what registers hold at the end."""

from qismc.distributions import outcomes
from qismc.distributions.survey import Survey
