"""`qismc.Model`: a model that can be asked, counted and drawn."""

from __future__ import annotations

from dataclasses import replace
from os import PathLike
from typing import Any

from typing_extensions import Unpack

from qismc.api.options import ModelOptions, inside, takes
from qismc.api.result import Result
from qismc.common import arguments
from qismc.common.choices import Ctl
from qismc.deciders import check_model, nusmv_model
from qismc.distributions import expectation, outcomes
from qismc.language import Specification
from qismc.model import model
from qismc.probability import Estimate, Outcomes
from qismc.repairs import suspecting
from qismc.report import Diagram, Drawing, diagram, model_html
from qismc.system import Backdrop, all_bits


class Model(model.Model):
    """The quantum-classical transition system of a program, with sp and wp of its locations."""

    @takes(ModelOptions)
    def __init__(self, program: Any, **options: Unpack[ModelOptions]) -> None:
        super().__init__(program, **inside(options))

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
