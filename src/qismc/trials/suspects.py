"""Hints at causes, looked for when somebody asks for them."""

from __future__ import annotations

from qismc.common.loading import loading
from qismc.evidence.execution import Execution
from qismc.evidence.hints.hint import Hint
from qismc.evidence.later import Later
from qismc.trials.question import Question


class Suspects:
    """The causes of a violation, found at the first call by trying changes of the program.

    They do not travel unless they were found before: a pickled copy holds what is known.
    """

    def __init__(
        self,
        question: Question | None = None,
        name: str = "",
        execution: Later[Execution | None] | None = None,
    ) -> None:
        self._task = None if question is None else (question, name, execution)
        self._found: tuple[Hint, ...] = ()

    def __reduce__(self) -> tuple[type[Suspects], tuple[()], dict[str, object]]:
        return Suspects, (), {"_task": None, "_found": self._found}

    def found(self) -> tuple[Hint, ...]:
        """Hints, likely causes first."""
        if self._task is not None:
            with loading():
                from qismc.repair.causes import find  # noqa: PLC0415 - repairs build on results

            (question, name, execution), self._task = self._task, None
            self._found = find(question, name, None if execution is None else execution())
        return self._found
