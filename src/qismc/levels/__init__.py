"""The classical store on levels: one vector carries a state for every store at once."""

from qismc.levels.decide import Answers, Task, answer
from qismc.levels.lengths import Histogram, Measured, NumericRun, check_isometric, measured
from qismc.levels.region import ALWAYS, ControlGraph
from qismc.levels.spread import is_all_zero
