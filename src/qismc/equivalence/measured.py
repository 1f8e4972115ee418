"""The comparison with a reference that measures, branches or loops: store by store, in floating point."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from qismc.equivalence.inputs import EVERY, telling_input
from qismc.equivalence.operations import Matrix, Operations, Store, operations
from qismc.equivalence.sides import Side
from qismc.errors import Undecided, UsageError
from qismc.evidence.execution import Execution
from qismc.limits import Tolerance
from qismc.model import Model
from qismc.outcomes import Survey
from qismc.program.program import Program, Variable
from qismc.result import FormulaResult, Result, summary
from qismc.subspace.start import qubit_list
from qismc.trials.question import Question
from qismc.verdict import Verdict
from qismc.wording import counted

TOLERANCE = Tolerance()


@dataclass(frozen=True)
class Difference:
    """Where two programs are farthest from each other: on a store, with these operators."""

    registers: tuple[str, ...]
    store: Store
    own: Matrix
    other: Matrix

    @property
    def size(self) -> float:
        """The largest entry of the difference of the operators."""
        return float(np.abs(self.own - self.other).max(initial=0.0))

    @property
    def text(self) -> str:
        """What differs: how often the store occurs, or the states that are left then."""
        pairs = zip(self.registers, self.store, strict=True)
        what = ", ".join(f"{name} = {value}" for name, value in pairs) or "the end"
        weights = [float(np.trace(operator).real) for operator in (self.own, self.other)]
        if abs(weights[0] - weights[1]) > TOLERANCE.clear:
            return f"the probability of {what} is {weights[0]:.6g}, in the reference {weights[1]:.6g}"
        states = [operator / weight for operator, weight in zip((self.own, self.other), weights, strict=True)]
        overlap = float(np.trace(states[0] @ states[1]).real)
        where = f"with {what}" if self.registers else "at the end"
        return f"{where}, as likely as in the reference, the states differ: tr(rho sigma) = {overlap:.6g}"


@dataclass(eq=False)
class Comparison:
    """Two programs with the registers that both have."""

    own: Side
    other: Side
    options: dict[str, Any]

    def result(self) -> Result:
        """The verdict on every input; if they differ, on an input of letters."""
        everything = EVERY * len(self.own.inputs)
        try:
            found, survey = self._difference(everything)
        except Undecided as doubt:
            return self._summed(Verdict.UNKNOWN, None, reason=str(doubt))
        if found.size <= TOLERANCE.zero:
            return self._summed(Verdict.HOLDS, survey, notes=(self._compared(found),))
        if found.size < TOLERANCE.clear:
            reason = f"numeric: the operations differ by {found.size:.1e}, too little to tell from rounding"
            return self._summed(Verdict.UNKNOWN, survey, reason=reason)
        letters = telling_input(len(everything), self._differs)
        claim = found.text
        if letters is not None:
            claim = f"on the input |{letters}> of {self._names}: {self._difference(letters)[0].text}"
        return self._summed(Verdict.VIOLATED, survey, shown=Execution("none", claim=claim))

    @property
    def _names(self) -> str:
        return qubit_list(self.own.program, self.own.inputs)

    def _compared(self, found: Difference) -> str:
        what = f"compared with {self.other.program.name} on every input of {self._names}, store by store"
        return f"{what}, in floating point: largest difference {found.size:.0e}"

    def _differs(self, letters: str) -> bool:
        return self._difference(letters)[0].size >= TOLERANCE.clear

    def _difference(self, letters: str) -> tuple[Difference, Survey]:
        """The largest difference on an input; raises Undecided."""
        registers = common_registers(self.own.program, self.other.program)
        if not registers and not self.own.outputs:
            raise UsageError("there is nothing to compare: no result, and no register of the reference")
        own, survey = self._operations(self.own, letters, [mine for mine, _ in registers])
        other, _ = self._operations(self.other, letters, [theirs for _, theirs in registers])
        size = 2 ** (len(self.own.outputs) + letters.count(EVERY))
        names = tuple(mine.name for mine, _ in registers)
        stores = sorted({*own.found, *other.found})
        all_found = [Difference(names, x, own.at(x, size), other.at(x, size)) for x in stores]
        nothing = np.zeros((size, size), dtype=complex)
        empty = Difference(names, (0,) * len(names), nothing, nothing)
        return max(all_found, key=lambda found: found.size, default=empty), survey

    def _operations(self, side: Side, letters: str, registers: list[Variable]) -> tuple[Operations, Survey]:
        model = Model(side.program, init=side.start(letters), **self.options)
        partners = tuple(model.program.partners.values())
        return operations(model, registers, (*side.outputs, *partners))

    def _summed(
        self,
        verdict: Verdict,
        survey: Survey | None,
        *,
        reason: str | None = None,
        shown: Execution | None = None,
        notes: tuple[str, ...] = (),
    ) -> Result:
        """The verdict with the sizes of the program's system."""
        model = Model(self.own.program, **self.options) if survey is None else survey.model
        spec = f"outcomes and states as in {self.other.program.name}"
        answer = FormulaResult("same", spec, verdict, reason, counterexample=shown)
        solved = None if survey is None else survey.solved
        found = summary(model, solved, [answer], None, notes=(), clock=[])
        return replace(found, notes=notes, question=Question())


def common_registers(own: Program, other: Program) -> list[tuple[Variable, Variable]]:
    """The registers of the reference, each beside the program's register of that name."""
    found = []
    for name, theirs in other.variables.items():
        mine = own.variables.get(name)
        if theirs.hidden:
            continue
        if mine is None or len(mine.bits) != len(theirs.bits):
            has = "has none of that name" if mine is None else f"has {counted(len(mine.bits), 'bit')} there"
            theirs_text = f"a register '{name}' of {counted(len(theirs.bits), 'bit')}"
            message = f"the reference has {theirs_text}, the program {has}"
            raise UsageError(message, hint="registers are compared by name")
        found.append((mine, theirs))
    return found
