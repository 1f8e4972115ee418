"""An execution that shows how two programs differ, by a check of one of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from qismc.equivalence.exact import Ends, Found, Kind
from qismc.equivalence.floating import TOLERANCE, largest_difference, told_apart
from qismc.equivalence.inputs import EVERY
from qismc.equivalence.joint import Pair
from qismc.equivalence.operations import Store, probability, store_text
from qismc.equivalence.registers import Registers
from qismc.errors import LimitReached, Undecided
from qismc.language import parse_formula, to_text
from qismc.model import Model
from qismc.program import Variable
from qismc.propositions import Proposition, Qubits, Subspace, Support, Whole
from qismc.repairs import check
from qismc.results import Result
from qismc.verdict import Verdict

STORES_TOGETHER = 16
"""Up to so many stores are asked about in one formula."""


@dataclass(frozen=True)
class Shown:
    """A difference in words and, where there is one, a violated check whose execution shows it."""

    text: str
    result: Result | None = None
    confirmed: bool = True
    """Do numbers say so, too?"""


class Numbers(NamedTuple):
    """How two programs differ with a store, in words; is it clear by numbers, too?"""

    text: str
    store: Store
    clear: bool


@dataclass(frozen=True)
class Showing:
    """Two programs that differ on an input."""

    pair: Pair
    registers: Registers
    letters: str
    options: dict[str, Any]

    def shown(self, found: Found, ends: Ends | None) -> Shown:
        """What differs, and an execution: of the reference if only that one can do it."""
        if found.kind is Kind.WEIGHTS or ends is None:
            return self._weighed(found.store)
        side = 0 if found.kind is Kind.OWN else 1
        who, whose = ("the program", "the reference") if side == 0 else ("the reference", "the program")
        end, store = _end(self.registers.of(side), found.store), self._text(found.store)
        states = ends.subspace(1 - side, found.store)
        if not states.vectors:
            text = f"{who} may end with {store}, {whose} never does" if store else f"{whose} never ends"
            return self._violated(side, f"AG !({end})", text)
        where = f"with {store} {who} ends" if store else f"{who} ends"
        text = f"{where} in a state that is none of those that {whose} ends in then"
        name = whose.split()[-1]
        props: dict[str, Proposition] = {name: self._ends_in(states)}
        return self._violated(side, f"AG ({end} -> {name})", text, props)

    def contained(self, ends: Ends) -> Result | None:
        """Does the program end as the reference may, with every store? None where there are many of them."""
        stores = ends.of(1)
        if len(stores) > STORES_TOGETHER:
            return None
        found = [_end(self.registers.own, store) for store in stores]
        parts = [f"AG ({end} -> reference{k})" for k, end in enumerate(found)]
        parts.append(f"AG (leaf -> {' | '.join(f'({end})' for end in found) or 'false'})")
        props: dict[str, Proposition] = {
            f"reference{k}": self._ends_in(ends.subspace(1, store)) for k, store in enumerate(stores)
        }
        return self._violated(0, " & ".join(parts), "", props).result

    def _violated(
        self, side: int, formula: str, text: str, props: Mapping[str, Proposition] | None = None
    ) -> Shown:
        """The execution that breaks a formula about one of the two."""
        one = (self.pair.own, self.pair.other)[side]
        spec = {"same": _written(formula)}
        result = check(one.program, spec, init=one.start(self.letters), props=props, **self.options)
        confirmed = result.verdict is Verdict.VIOLATED
        return Shown(text, result if confirmed else None, confirmed)

    def _weighed(self, store: Store) -> Shown:
        """The same ends with other probabilities: an execution of the program to the store."""
        own, numbers = self.pair.own, self._numbers(store)
        formula = _written(f"EF ({_end(self.registers.own, numbers.store)})")
        result = check(own.program, {"same": formula}, init=own.start(self.letters), **self.options)
        answer = result["same"]
        if answer.witness is None:
            return Shown(numbers.text, confirmed=numbers.clear)
        answer = replace(
            answer,
            spec=f"outcomes and states as in {self.pair.other.program.name}",
            verdict=Verdict.VIOLATED,
            witness=None,
            counterexample=replace(answer.witness, claim=numbers.text),
            truths={},
            warnings=(),
        )
        return Shown(numbers.text, replace(result, results=(answer,), warnings=()), numbers.clear)

    def _ends_in(self, states: Subspace) -> Proposition:
        """The states of results and partners with which a side ends; without any, all are the same."""
        return Support(states.states, self._kept) if self._kept else Whole()

    @property
    def _kept(self) -> Qubits:
        """The qubits of the result, and the partners of those of the input that stand for all states."""
        count = self.pair.own.program.num_qubits
        return (*self.pair.own.outputs, *range(count, count + self.letters.count(EVERY)))

    # --- words -------------------------------------------------------------------------------------------

    def _text(self, store: Store) -> str:
        return store_text(self.registers.names, store)

    def _numbers(self, store: Store) -> Numbers:
        """How likely the end with a store is on both sides, or how the states differ then."""
        try:
            found, _ = largest_difference(self.pair, self.registers, self.letters, self.options)
            return Numbers(found.text, found.store, found.is_clear)
        except LimitReached:
            pass
        what = self._text(store) or "the end"
        try:
            own, other = (self._probability(side, store) for side in (0, 1))
        except Undecided:
            return Numbers(f"with {what} the same states are left, with other probabilities", store, False)
        if abs(own - other) >= TOLERANCE.clear:
            text = f"the probability of {what} is {', in the reference '.join(told_apart(own, other))}"
            return Numbers(text, store, True)
        text = f"with {what}, as likely as in the reference, the mixtures of states differ"
        return Numbers(text, store, False)

    def _probability(self, side: int, store: Store) -> float:
        one = (self.pair.own, self.pair.other)[side]
        model = Model(one.program, init=one.start(self.letters), **self.options)
        return probability(model, self.registers.of(side), store)


def _end(registers: Sequence[Variable], store: Store) -> str:
    """The end with a store, as a formula."""
    values = [f"'{variable.name}' == {value}" for variable, value in zip(registers, store, strict=True)]
    return " & ".join(["leaf", *values])


def _written(formula: str) -> str:
    """The formula as reports print it, with quotes only where they are needed."""
    return to_text(parse_formula(formula))
