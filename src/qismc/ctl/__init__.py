"""Labels of graphs -> the truth of formulas on them; the same asked of NuSMV.

Here are graphs, atoms and temporal operators. Which vectors arrive is found in `fixpoint/`, how likely paths
are in `probability/`, how sure a path is an execution in `evidence/`.
"""

from qismc.ctl.atoms import ClassicalLabels, Labels
from qismc.ctl.evaluation import Evaluation, Truth, as_until, evaluate, of_executions, truths
from qismc.ctl.graph import (
    Graph,
    Indices,
    Mask,
    forward,
    shortest_lasso,
    shortest_path,
    until_on_all_paths,
    until_on_some_path,
)
from qismc.ctl.nusmv import check_with_nusmv, to_smv
from qismc.ctl.partial import Bounds, PartialEvaluation
