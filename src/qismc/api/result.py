"""Results as users get them: they also look for causes and repairs."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from qismc.common.loading import loading
from qismc.limits import SEARCH_SECONDS
from qismc.results import Result as Decided
from qismc.whatif import Variants

if TYPE_CHECKING:
    from qismc.repairs import Repairs


class Result(Decided):
    """The answers for all formulas of a check, truthy iff all hold."""

    @classmethod
    def of(cls, decided: Decided) -> Result:
        """The answers of a decision."""
        return cls(**{field.name: getattr(decided, field.name) for field in fields(decided)})

    def repairs(
        self, limit: int = 5, *, pairs: bool = False, seconds: float | None = SEARCH_SECONDS
    ) -> Repairs:
        """Edits after which all formulas hold, found while one iterates: nearest to the evidence first."""
        with loading():
            from qismc.repairs import Repairs  # noqa: PLC0415 - searched on demand only

        return Repairs(self, Variants.of(self.question), limit=limit, pairs=pairs, seconds=seconds)

    def with_repairs(self, limit: int = 5, **how: Any) -> Result:
        """The same result with repairs, which all reports then show."""
        return replace(self, suggestions=self.repairs(limit, **how))
