"""What was asked about a program, so that it can be asked again."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from typing_extensions import Self

from qismc.common.lazily import cached_property
from qismc.errors import UsageError
from qismc.language import MOST_FORMULAS, Formula, parse_formula
from qismc.limits import Limits
from qismc.program import Program


@dataclass(frozen=True)
class Question:
    """Formulas by name, and the options of `qismc.Model`.

    It does not travel: propositions may be bound to an engine of this process.
    """

    formulas: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    program: Program | None = None
    """About which it was asked, without the faults of the options."""

    def about(self, names: Iterable[str], program: Program) -> Self:
        """The part that asks some of the formulas, about a program."""
        return replace(self, formulas={name: self.formulas[name] for name in names}, program=program)

    def asking(self, **options: Any) -> Self:
        """The same question with other options."""
        return replace(self, options={**self.options, **options})

    @property
    def has_faults(self) -> bool:
        """Is it asked about programs with faults?"""
        return self.options.get("faults") is not None

    @property
    def seconds(self) -> float:
        """The time limit that was asked for."""
        limits: Limits | None = self.options.get("limits")
        return math.inf if limits is None or limits.seconds is None else limits.seconds

    def __reduce__(self) -> tuple[type[Question], tuple[()]]:
        return Question, ()

    @cached_property
    def trees(self) -> dict[str, Formula]:
        """The formulas."""
        if not self.formulas:
            raise UsageError(
                "what was asked is no formula, or not known any more", hint="check the program again"
            )
        return {name: _parsed(text) for name, text in self.formulas.items()}


@lru_cache(maxsize=MOST_FORMULAS)
def _parsed(text: str) -> Formula:
    """The formula of a text, read once for all variants of a question."""
    return parse_formula(text)
