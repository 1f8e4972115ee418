"""Results as users get them: they also look for causes and repairs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from qismc.api.options import takes
from qismc.common.loading import loading
from qismc.limits import SEARCH_SECONDS
from qismc.results import Result as Decided
from qismc.whatif import Variants

if TYPE_CHECKING:
    from qismc.repairs import Repairs


class Result(Decided):
    """The answers for all formulas of a check, truthy iff all hold."""

    @classmethod
    def of(cls, decided: Decided, *, explain: bool = True) -> Result:
        """The answers of a decision, with or without the search for causes of violations."""
        found = cls(**vars(decided))
        if explain:
            return found
        return replace(found, results=tuple(r.but(explained=False) for r in found.results))

    def explain(self, *names: str) -> Result:
        """The same result with the search for causes, of the formulas of these names (default: of all).

        It is needed only after a check with `explain=False`.
        """
        wanted = [self[name].name for name in names] or [r.name for r in self.results]
        told = (r.but(explained=True) if r.name in wanted else r for r in self.results)
        return replace(self, results=tuple(told))

    @takes(old=("seconds",))
    def repairs(
        self, limit: int = 5, *, pairs: bool = False, timeout: float | None = SEARCH_SECONDS
    ) -> Repairs:
        """Edits after which all formulas hold, found while one iterates: nearest to the evidence first."""
        with loading():
            from qismc.repairs import Repairs  # noqa: PLC0415 - searched on demand only

        return Repairs(self, Variants.of(self._question), limit=limit, pairs=pairs, seconds=timeout)

    @takes(old=("seconds",))
    def with_repairs(
        self, limit: int = 5, *, pairs: bool = False, timeout: float | None = SEARCH_SECONDS
    ) -> Result:
        """The same result with repairs, which all reports then show."""
        return replace(self, _suggestions=self.repairs(limit, pairs=pairs, timeout=timeout))
