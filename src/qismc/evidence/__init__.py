"""Evidence: executions that show why a formula holds or fails, replayed and verified."""

from qismc.evidence import on_tableau
from qismc.evidence.arrived import Arrived
from qismc.evidence.build import NO_EXECUTION, ExecutionBuilder
from qismc.evidence.claims import is_sure, is_timeless, speaks_of_start, timed_probabilities
from qismc.evidence.ending import Ending
from qismc.evidence.execution import Beside, Execution, Step
from qismc.evidence.explaining import explain
from qismc.evidence.explanation import UNSEEN, Explainer, Explanation, located, not_shown
from qismc.evidence.hints.counterexample import Hinter
from qismc.evidence.hints.faults import with_faults_named
from qismc.evidence.hints.findings import Findings
from qismc.evidence.hints.hint import Hint
from qismc.evidence.later import Late, Later, LaterList
from qismc.evidence.local import is_true
from qismc.evidence.overlaps import overlap, projected
from qismc.evidence.path import Visit
from qismc.evidence.proof import Evidence
from qismc.evidence.realise import Realiser
from qismc.evidence.refine import Refiner
from qismc.evidence.replaying import IMPOSSIBLE, replay
from qismc.evidence.safety import Violation, invariant, violations
from qismc.evidence.track import acting
