"""Evidence: executions that show why a formula holds or fails, replayed and verified, and hints about them.

Here: paths of the graph that prove a claim, executions that take them, their states, remarks about one
execution or about the program. Not here: verdicts (`deciders/`), how executions look (`report/`), and
changes of the program that are tried (`repairs/`).
"""

from qismc.evidence import on_tableau
from qismc.evidence.build import NO_EXECUTION, Arrived, ExecutionBuilder
from qismc.evidence.execution import Beside, Execution, Hint, Step, no_hints
from qismc.evidence.explaining import explain
from qismc.evidence.explanation import UNSEEN, Explainer, Explanation, located, not_shown
from qismc.evidence.hints import Hinter, with_faults_named
from qismc.evidence.later import Late, Later, LaterList
from qismc.evidence.observations import findings
from qismc.evidence.on_tableau import Ending, classical_truth
from qismc.evidence.proof import Evidence, invariant, is_local, is_sure, is_timeless, timed_probabilities
from qismc.evidence.realise import Realiser
from qismc.evidence.refine import Refiner
from qismc.evidence.replaying import Follower, Stage, Visit, acting, replay
from qismc.evidence.safety import Violation, violations
from qismc.evidence.states import overlap, projected, unit
