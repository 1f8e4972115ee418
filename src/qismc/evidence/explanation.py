"""Evidence for a verdict: a real execution where provenance gives one, otherwise a path of the graph."""

from __future__ import annotations

from qismc.ctl.evaluate import Evaluation
from qismc.evidence.build import ExecutionBuilder
from qismc.evidence.execution import Execution
from qismc.evidence.safety import violation
from qismc.labels import Labels
from qismc.solve import Solved
from qismc.spec.printer import to_text
from qismc.spec.syntax import Formula
from qismc.subspace.registry import Numeric


class Explainer:
    """Explains formulas about one solved system."""

    def __init__(self, solved: Solved, labels: Labels, evaluation: Evaluation, simulator: Numeric) -> None:
        self._labels = labels
        self._evaluation = evaluation
        self._builder = ExecutionBuilder(
            solved.system, labels.names_at, simulator, lambda seed: solved.seeds[seed].vector(simulator)
        )

    def counterexample(self, formula: Formula) -> Execution | None:
        """An execution that shows why a formula fails at the start."""
        path = violation(formula, self._evaluation, self._labels)
        if path is not None:
            return self._builder.from_provenance(path, f"a state that breaks {to_text(formula)}")
        return None

    def witness(self, formula: Formula) -> Execution | None:
        """An execution that shows why an existential formula holds at the start."""
        return None
