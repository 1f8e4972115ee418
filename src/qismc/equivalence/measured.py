"""The comparison with a reference that measures, branches or loops: store by store.

Over the field where the exact engine can (`exact`), else in floating point (`floating`). An execution shows a
difference: that of a check of one of the two.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from qismc.certify import Soundness, soundness
from qismc.common.lazily import cached_property
from qismc.equivalence.exact import Ends, Found, Inexact, Kind
from qismc.equivalence.floating import TOLERANCE, largest_difference, probability, store_text, unlike_text
from qismc.equivalence.inputs import EVERY, telling_input
from qismc.equivalence.joint import Pair
from qismc.equivalence.registers import EndValues, Registers
from qismc.equivalence.sides import Side
from qismc.errors import LimitReached, Undecided, UsageError
from qismc.evidence import Arrived, Execution, no_hints
from qismc.fixpoint import Solved
from qismc.language import parse_formula, to_text
from qismc.model import Model
from qismc.program import Variable
from qismc.propositions import Proposition, Subspace, Support, Whole
from qismc.repairs import check
from qismc.results import FormulaResult, Question, Result, summary
from qismc.system import Backdrop
from qismc.verdict import Verdict

REFUSED = ("recheck", "certify")
"""What a comparison of two programs that measure cannot do."""
UNUSED = ("ctl", "strict")
"""Options of `check` that make no difference: nothing here is a formula that could hold and say nothing."""
ONE_PRIME = "that probabilities agree was decided with one random prime, outside of the bound"
STORES_TOGETHER = 16
"""Up to so many stores are asked about in one formula."""


@dataclass(frozen=True)
class Compared:
    """What a comparison on some input found: a difference or None, and how."""

    letters: str
    found: Found | None
    model: Model
    ends: Ends | None = None
    """Where it was exact."""
    note: str = ""

    @property
    def solved(self) -> Solved | None:
        return None if self.ends is None else self.ends.solved

    @property
    def is_tentative(self) -> bool:
        """Was a difference found for generic angles that numbers may contradict?"""
        return self.found is not None and self.solved is not None and self.solved.engine.assumed.tentative


@dataclass(frozen=True)
class Shown:
    """A difference in words and, where there is one, a violated check whose execution shows it."""

    text: str
    result: Result | None = None
    confirmed: bool = True
    """Do numbers say so, too?"""


@dataclass(eq=False)
class ProgramComparison:
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
            model = Model.of(self.own.program, **self.options)
            return self._summed(Verdict.UNKNOWN, model, reason=str(doubt))

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

    def _compared(self, letters: str) -> Compared:
        """The answer for an input; what is not exact once is not asked exactly again."""
        if self.exactly:
            try:
                model = Model.of(self.pair.program, init=self.pair.own.start(letters), **self.options)
                ends = Ends(model, self.pair, self.registers)
                return Compared(letters, ends.difference(), model, ends)
            except Inexact:
                self.exactly = False
        difference, model = largest_difference(self.pair, self.registers, letters, self.options)
        note = f"in floating point: largest difference {difference.size:.0e}, error < {difference.error:.0e}"
        return Compared(letters, difference.found, model, note=note)

    # --- answers -----------------------------------------------------------------------------------------

    def _same(self, compared: Compared) -> Result:
        what = f"compared with {self.other.program.name} {self.own.inputs_text}"
        what += ", store by store" if self.registers.own else ""
        note = f"{what}, {compared.note}" if compared.note else what
        bound = None if compared.solved is None else soundness(compared.solved.engine)
        bound = None if bound is None else replace(bound, note=bound.note or ONE_PRIME)
        return self._summed(Verdict.HOLDS, compared.model, compared.solved, bound=bound, notes=(note,))

    def _different(self, everywhere: Compared) -> Result:
        """An execution that shows it; where formal angles were wrong about it, what numbers say."""
        count = len(self.own.inputs)
        told = telling_input(count, self._compared, lambda one: one.found is not None, self.deadline)
        compared = told[1] if told else everywhere
        what = self._shown(compared)
        if compared.is_tentative and not what.confirmed:
            self.exactly = False
            return self.result()
        assert compared.found is not None
        name = self.other.program.name
        note = f"differs from {name}{self.own.input_text(compared.letters)}: {what.text}"
        if compared.found.kind is Kind.OTHER:
            note += f"; the execution shown is one of {name}"
        if what.result is not None:
            result = with_advice(what.result, self._contained(everywhere))
            return replace(result, notes=(note,), _question=Question())
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
        answer = FormulaResult("same", self._spec, verdict, reason, counterexample=shown)
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

    @property
    def _spec(self) -> str:
        return f"outcomes and states as in {self.other.program.name}"

    # --- executions --------------------------------------------------------------------------------------

    def _shown(self, compared: Compared) -> Shown:
        """What differs, and an execution: of the reference if only that one can do it."""
        found, ends = compared.found, compared.ends
        assert found is not None
        if found.kind is Kind.WEIGHTS or ends is None:
            return self._weighed(compared.letters, found.store)
        side = 0 if found.kind is Kind.OWN else 1
        who, whose = ("the program", "the reference") if side == 0 else ("the reference", "the program")
        end = _end(self.registers.of(side), found.store)
        store = store_text(self.registers.names, found.store) if self.registers.own else ""
        states = ends.subspace(1 - side, found.store)
        if not states.vectors:
            text = f"{who} may end with {store}, {whose} never does" if store else f"{whose} never ends"
            violated = self._violated(side, compared.letters, f"AG !({end})")
        else:
            where = f"with {store} {who} ends" if store else f"{who} ends"
            text = f"{where} in a state that is none of those that {whose} ends in then"
            name = whose.split()[-1]
            props = {name: self._ends_in(compared.letters, states)}
            violated = self._violated(side, compared.letters, f"AG ({end} -> {name})", props)
        return Shown(text, violated, violated is not None)

    def _contained(self, compared: Compared) -> Result | None:
        """On every input: what the program does and the reference cannot do, so that hints repair it all.

        None where the reference may end with many stores.
        """
        ends = compared.ends
        if ends is None or compared.found is None or compared.found.kind is not Kind.OWN:
            return None
        stores = ends.of(1)
        if len(stores) > STORES_TOGETHER:
            return None
        found = [_end(self.registers.own, store) for store in stores]
        parts = [f"AG ({end} -> reference{k})" for k, end in enumerate(found)]
        parts.append(f"AG (leaf -> {' | '.join(f'({end})' for end in found) or 'false'})")
        props = {
            f"reference{k}": self._ends_in(compared.letters, ends.subspace(1, store))
            for k, store in enumerate(stores)
        }
        return self._violated(0, compared.letters, " & ".join(parts), props)

    def _checked(
        self, side: int, letters: str, formula: str, props: Mapping[str, Proposition] | None = None
    ) -> Result:
        """The check of a formula about one of the two, written with quotes only where they are needed."""
        one = self.pair.sides[side]
        spec = {"same": to_text(parse_formula(formula))}
        return check(one.program, spec, init=one.start(letters), props=props, **self.options)

    def _violated(
        self, side: int, letters: str, formula: str, props: Mapping[str, Proposition] | None = None
    ) -> Result | None:
        """A check with an execution that breaks a formula; None if it is not violated."""
        result = self._checked(side, letters, formula, props)
        return result if result.verdict is Verdict.VIOLATED else None

    def _weighed(self, letters: str, store: EndValues) -> Shown:
        """The same ends with other probabilities: an execution of the program to the store."""
        text, store, clear = self._numbers(letters, store)
        result = self._checked(0, letters, f"EF ({_end(self.registers.own, store)})")
        answer = result["same"]
        if answer.witness is None:
            return Shown(text, confirmed=clear)
        answer = replace(
            answer,
            spec=self._spec,
            verdict=Verdict.VIOLATED,
            witness=None,
            counterexample=replace(answer.witness, claim=text),
            truths={},
            warnings=(),
        )
        return Shown(text, replace(result, results=(answer,), warnings=()), clear)

    def _ends_in(self, letters: str, states: Subspace) -> Proposition:
        """The states with which a side ends, of the result and of the partners of inputs that stand for all
        states; without any such qubit all states are the same."""
        count = self.pair.own.program.num_qubits
        kept = (*self.pair.own.outputs, *range(count, count + letters.count(EVERY)))
        return Support(states.states, kept) if kept else Whole()

    def _numbers(self, letters: str, store: EndValues) -> tuple[str, EndValues, bool]:
        """How likely an end is on both sides, or how the states differ then, in words; the store of that end;
        is it clear by numbers?"""
        try:
            found, _ = largest_difference(self.pair, self.registers, letters, self.options)
            return found.text, found.store, found.is_clear
        except LimitReached:
            pass
        what = store_text(self.registers.names, store)
        try:
            own, other = (self._probability(side, letters, store) for side in (0, 1))
        except Undecided:
            return f"with {what} the same states are left, with other probabilities", store, False
        if abs(own - other) >= TOLERANCE.clear:
            return unlike_text(what, own, other), store, True
        return f"with {what}, as likely as in the reference, the mixtures of states differ", store, False

    def _probability(self, side: int, letters: str, store: EndValues) -> float:
        one = self.pair.sides[side]
        model = Model.of(one.program, init=one.start(letters), **self.options)
        return probability(model, self.registers.of(side), store)


def with_advice(shown: Result, everything: Result | None) -> Result:
    """What an input shows, with the hints, observations and repairs of the check on every input."""
    asked = {} if everything is None else {answer.name: answer.suspects for answer in everything}
    answers = tuple(replace(a, suspects=asked.get(a.name, no_hints())) for a in shown.results)
    told = replace(shown, results=answers)
    if everything is None:
        return told
    return replace(told, _observations=everything._observations, _question=everything._question)


def _end(registers: Sequence[Variable], store: EndValues) -> str:
    """The end with a store, as a formula."""
    values = [f"'{variable.name}' == {value}" for variable, value in zip(registers, store, strict=True)]
    return " & ".join(["leaf", *values])
