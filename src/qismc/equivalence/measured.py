"""The comparison with a reference that measures, branches or loops: store by store.

Over the field where the exact engine can (`exact`), else in floating point (`floating`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from qismc.certify import Soundness, soundness
from qismc.common.lazily import cached_property
from qismc.equivalence.advice import with_advice
from qismc.equivalence.exact import Ends, Found, Inexact, Kind
from qismc.equivalence.floating import largest_difference
from qismc.equivalence.inputs import EVERY, telling_input
from qismc.equivalence.joint import Pair
from qismc.equivalence.registers import Registers
from qismc.equivalence.showing import Showing, Shown
from qismc.equivalence.sides import Side
from qismc.errors import Undecided, UsageError
from qismc.evidence import Arrived, Execution, no_hints
from qismc.fixpoint import Solved
from qismc.model import Model
from qismc.results import FormulaResult, Question, Result, summary
from qismc.system import Backdrop
from qismc.verdict import Verdict

REFUSED = ("recheck", "certify")
"""What a comparison of two programs that measure cannot do."""
UNUSED = ("ctl", "strict")
"""Options of `check` that make no difference: nothing here is a formula that could hold and say nothing."""
ONE_PRIME = "that probabilities agree was decided with one random prime, outside of the bound"


@dataclass(frozen=True)
class Compared:
    """What a comparison on some input found: a difference or None, and how."""

    found: Found | None
    model: Model
    solved: Solved | None = None
    ends: Ends | None = None
    """Where it was exact."""
    note: str = ""

    @property
    def is_tentative(self) -> bool:
        """Was a difference found for generic angles that numbers may contradict?"""
        return self.found is not None and self.solved is not None and self.solved.engine.assumed.tentative


@dataclass(eq=False)
class Comparison:
    """Two programs with the registers that are compared."""

    own: Side
    other: Side
    registers: Registers
    options: dict[str, Any]
    deadline: float = math.inf
    """No input is looked for after this time."""
    exactly: bool = True
    """False once the exact engine could not tell."""

    @cached_property
    def pair(self) -> Pair:
        return Pair.of(self.own, self.other)

    def __post_init__(self) -> None:
        for name in REFUSED:
            if self.options.get(name):
                raise UsageError(f"a comparison of two programs that measure takes no {name}=")
        self.options = {n: value for n, value in self.options.items() if n not in (*REFUSED, *UNUSED)}

    def result(self) -> Result:
        """The verdict on every input; if they differ, on an input of letters."""
        try:
            compared = self._compared(self._everything)
            return self._same(compared) if compared.found is None else self._different(compared)
        except Undecided as doubt:
            return self._summed(Verdict.UNKNOWN, Model(self.own.program, **self.options), reason=str(doubt))

    def agreement(self) -> Result | None:
        """The result if both do the same; None if not, or if that is not known."""
        try:
            compared = self._compared(self._everything)
            if compared.is_tentative:
                self.exactly = False
                compared = self._compared(self._everything)
        except Undecided:
            return None
        return self._same(compared) if compared.found is None else None

    @property
    def _everything(self) -> str:
        return EVERY * len(self.own.inputs)

    # --- on an input -------------------------------------------------------------------------------------

    def _compared(self, letters: str) -> Compared:
        """The answer for an input; what is not exact once is not asked exactly again."""
        if self.exactly:
            try:
                return self._exactly(letters)
            except Inexact:
                self.exactly = False
        difference, model = largest_difference(self.pair, self.registers, letters, self.options)
        note = f"in floating point: largest difference {difference.size:.0e}, error < {difference.error:.0e}"
        return Compared(difference.found, model, note=note)

    def _exactly(self, letters: str) -> Compared:
        model = Model(self.pair.program, init=self.pair.own.start(letters), **self.options)
        ends = Ends(model, self.pair, self.registers)
        return Compared(ends.difference(), model, ends.solved, ends)

    def _on_letters(self) -> tuple[str, Compared] | None:
        """The difference on a product of letters, if there is one in time."""
        asked: dict[str, Compared] = {}

        def differs(letters: str) -> bool:
            asked[letters] = self._compared(letters)
            return asked[letters].found is not None

        letters = telling_input(len(self.own.inputs), differs, self.deadline)
        return None if letters is None else (letters, asked[letters])

    # --- answers -----------------------------------------------------------------------------------------

    def _same(self, compared: Compared) -> Result:
        what = f"compared with {self.other.program.name} {self.own.inputs_text}"
        what += ", store by store" if self.registers.own else ""
        note = f"{what}, {compared.note}" if compared.note else what
        bound = None if compared.solved is None else soundness(compared.solved.engine)
        bound = None if bound is None else replace(bound, note=bound.note or ONE_PRIME)
        return self._summed(Verdict.HOLDS, compared.model, compared.solved, bound=bound, notes=(note,))

    def _different(self, compared: Compared) -> Result:
        """An execution that shows it; where formal angles were wrong about it, what numbers say."""
        letters, on_letters = self._on_letters() or (self._everything, compared)
        what = self._shown(letters, on_letters)
        if on_letters.is_tentative and not what.confirmed:
            self.exactly = False
            return self.result()
        if what.result is not None:
            what = replace(what, result=with_advice(what.result, self._contained(compared)))
        return self._told(what, letters, on_letters)

    def _contained(self, compared: Compared) -> Result | None:
        """On every input: what the program does and the reference cannot do, so that hints repair it all."""
        assert compared.found is not None
        if compared.ends is None or compared.found.kind is not Kind.OWN:
            return None
        return Showing(self.pair, self.registers, self._everything, self.options).contained(compared.ends)

    def _shown(self, letters: str, compared: Compared) -> Shown:
        assert compared.found is not None
        showing = Showing(self.pair, self.registers, letters, self.options)
        return showing.shown(compared.found, compared.ends)

    def _told(self, what: Shown, letters: str, compared: Compared) -> Result:
        assert compared.found is not None
        name = self.other.program.name
        note = f"differs from {name}{self.own.input_text(letters)}: {what.text}"
        if compared.found.kind is Kind.OTHER:
            note += f"; the execution shown is one of {name}"
        if what.result is not None:
            return replace(what.result, notes=(note,), _question=Question())
        claim = Execution("none", claim=what.text)
        return self._summed(Verdict.VIOLATED, compared.model, compared.solved, shown=claim, notes=(note,))

    def _summed(
        self,
        verdict: Verdict,
        model: Model,
        solved: Solved | None = None,
        *,
        reason: str | None = None,
        shown: Execution | None = None,
        bound: Soundness | None = None,
        notes: tuple[str, ...] = (),
    ) -> Result:
        """The verdict with the sizes of the system, which may be that of both programs together."""
        spec = f"outcomes and states as in {self.other.program.name}"
        answer = FormulaResult("same", spec, verdict, reason, counterexample=shown)
        found = summary(model, solved, [answer], bound, notes=(), clock=[])
        return replace(
            found,
            program=self.own.program,
            _backdrop=Backdrop(),
            _arrived=Arrived(),
            _observations=no_hints(),
            notes=notes,
            _question=Question(),
        )
