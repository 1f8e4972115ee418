"""The classical store on levels: one vector carries a state for every store at once.

A program and its questions become scripts of operators on levels (`translate`, `writer`, `layouts`), whose
fixed point answers the questions (`spread`, `decide`). An answer leads back to one execution (`journey`).
Which formulas are asked here is decided in `deciders/`.
"""

from qismc.levels.decide import Answers, Task, answer
from qismc.levels.lengths import Histogram, Measured, NumericRun, check_isometric, measured
from qismc.levels.region import ALWAYS, ControlGraph
from qismc.levels.spread import is_all_zero
