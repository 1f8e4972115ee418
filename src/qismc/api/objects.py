"""What users hold: models that can be asked, counted and drawn, and results that look for repairs."""

from __future__ import annotations

from dataclasses import replace
from os import PathLike
from typing import Any

from typing_extensions import Unpack

from qismc.api.options import ModelOptions, inside, takes
from qismc.common import arguments
from qismc.common.choices import Ctl
from qismc.deciders import check_model, nusmv_model
from qismc.distributions import expectation, outcomes
from qismc.language import Specification
from qismc.limits import SEARCH_SECONDS
from qismc.model import model, read_parts
from qismc.probability import Estimate, Outcomes
from qismc.repairs import Repairs, suspecting
from qismc.report import Diagram, Drawing, diagram, model_html
from qismc.results import Result as Decided
from qismc.system import Backdrop, all_bits
from qismc.whatif import Variants


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
        return Repairs(self, Variants.of(self._question), limit=limit, pairs=pairs, seconds=timeout)

    @takes(old=("seconds",))
    def with_repairs(
        self, limit: int = 5, *, pairs: bool = False, timeout: float | None = SEARCH_SECONDS
    ) -> Result:
        """The same result with repairs, which all reports then show."""
        return replace(self, _suggestions=self.repairs(limit, pairs=pairs, timeout=timeout))


class Model(model.Model):
    """The quantum-classical transition system of a program, with sp and wp of its locations."""

    @takes(ModelOptions)
    def __init__(self, program: Any, **options: Unpack[ModelOptions]) -> None:
        super().__init__(read_parts(program, **inside(options)))

    def draw(self, format: str = "text", *, fold: bool = True) -> Drawing:
        """A picture that prints as text, DOT, SVG, HTML or JSON and shows as SVG in notebooks."""
        return Drawing(self.diagram(), format, fold)

    def diagram(self) -> Diagram:
        """The transition system as blocks and arrows."""
        return diagram(Backdrop(self.system, all_bits(self.program)))

    def _repr_html_(self) -> str:
        return model_html(self)

    def check(
        self,
        spec: Specification = None,
        *,
        ctl: Ctl = "builtin",
        recheck: int = 0,
        certify: bool = False,
        certificate: str | PathLike[str] | None = None,
        strict: bool = False,
        explain: bool = True,
    ) -> Result:
        """Decide formulas about this model; the options are those of `qismc.check`."""
        arguments.flag("explain", explain)
        self.budget.restart()
        decided = check_model(
            self, spec, ctl=ctl, recheck=recheck, certify=certify, certificate=certificate, strict=strict
        )
        return Result.of(suspecting(decided), explain=explain)

    def to_smv(self, formula: str) -> str:
        """A NuSMV model whose specification holds iff the formula does."""
        arguments.text("formula", formula)
        return nusmv_model(self, formula)

    # --- quantities --------------------------------------------------------------------------------------

    def outcomes(self, *registers: str, at: str | int = "leaf") -> Outcomes:
        """The distribution of registers (default: all together) when a place is visited first."""
        for register in registers:
            arguments.text("registers", register)
        arguments.place("at", at)
        with self.watched():
            return replace(outcomes(self, registers, at), replaced=self.replaced)

    def expectation(self, observable: Any, at: str | int = "leaf", given: str | None = None) -> Estimate:
        """The expectation value of Pauli strings when a place is visited first, given a classical formula."""
        arguments.place("at", at)
        with self.watched():
            return expectation(self, observable, at, given)
