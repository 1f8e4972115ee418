"""Labels of graphs -> the truth of formulas on them; the same asked of NuSMV.

Here are graphs, atoms and temporal operators. Which vectors arrive is found in `fixpoint/`,
how sure a path is an execution in `evidence/`.
"""

from qismc.ctl.atoms import ClassicalLabels, Labels
from qismc.ctl.evaluation import Evaluation, evaluate
from qismc.ctl.graph import Graph, Mask
from qismc.ctl.nusmv import check_with_nusmv
from qismc.ctl.partial import Bounds, PartialEvaluation
from qismc.ctl.paths import shortest_lasso, shortest_path
from qismc.ctl.reach import until_on_some_path
from qismc.ctl.smv import to_smv
from qismc.ctl.truth import Truth, of_executions, truths
