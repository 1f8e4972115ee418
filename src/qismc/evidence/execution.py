"""Executions and the hints about them: what happened, step by step, in the user's terms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from qismc.common import showing
from qismc.common.loading import loading
from qismc.common.source import Source
from qismc.common.wording import chance_text, counted
from qismc.evidence.later import Later, LaterList, already
from qismc.evidence.proof import Kind
from qismc.program import Program
from qismc.propositions import Term, ket_text
from qismc.system import Application, Location


@dataclass(frozen=True)
class Hint:
    """What was found out, in words; `steps` are the steps of the counterexample that it points at."""

    kind: str
    text: str
    source: Source | None = None
    steps: tuple[int, ...] = ()
    also: tuple[Source, ...] = ()
    """Other lines that the same is true of."""

    @property
    def lines(self) -> tuple[Source, ...]:
        """The lines that are named."""
        return (*(() if self.source is None else (self.source,)), *self.also)


if TYPE_CHECKING:
    from qiskit import QuantumCircuit


def no_hints() -> Later[tuple[Hint, ...]]:
    """None, and none to look for."""
    return already(())


@dataclass(frozen=True)
class Step:
    """A location on an execution, before its statement acts."""

    location: str
    point: int
    statement: str
    source: Source | None
    store: Mapping[str, int]
    labels: tuple[str, ...]
    terms: tuple[Term, ...] | None = None
    """The largest terms of the state, or None where it was not simulated."""
    terms_left_out: int = 0
    probability: float | None = None
    """The probability of coming this far."""
    outcome: int | None = None
    """What the statement measured or chose here."""
    choice: int | None = None
    """Which Kraus operator of a reset acted: 1 means that the qubit was found in |1>."""
    glue: bool = False
    """Does no text stand for the statement? Compact reports leave such steps out."""
    relevant: bool = True
    """Can the statement matter for what the execution shows? False only where it was proved that not."""
    stabilisers: Sequence[str] | None = field(default=None, repr=False)
    """Instead of terms: the Pauli strings that stabilise the state and are new since the step before."""

    @classmethod
    def at(cls, location: Location, labels: Iterable[str], **seen: Any) -> Step:
        """The step at a location; `seen` are the fields that only an execution knows."""
        source, glue = location.source, location.point in location.program.glue
        place = location.name, location.point, location.text, source, location.values
        return cls(*place, tuple(labels), glue=glue, **seen)

    @property
    def state(self) -> str | None:
        """The state as a sum of kets; qubit 0 is the leftmost letter."""
        return None if self.terms is None else ket_text(self.terms, self.terms_left_out)


TERMS_KEPT = 4096
"""Starts with more terms are not prepared in circuits."""


class Track(NamedTuple):
    """What acted in a program: enough to make a straight-line circuit of it."""

    program: Program
    start: Later[tuple[Term, ...] | None]
    """The first state; None where it has too many terms."""
    moves: Later[tuple[tuple[Application, ...], ...]]
    """The k-th of them acts between steps k and k+1."""


@dataclass(frozen=True)
class Beside:
    """An execution beside another one: they start and end with so many equal steps."""

    execution: Execution
    prefix: int
    suffix: int

    def align(self, count: int) -> tuple[int | None, ...]:
        """For each of the other's `count` steps the step that goes with it; both may differ from there on."""
        mine = len(self.execution.steps)
        found: list[int | None] = [None] * count
        for k in range(min(self.prefix + 1, count, mine)):
            found[k] = k
        for k in range(1, min(self.suffix, count, mine) + 1):
            found[count - k] = mine - k
        return tuple(found)


@dataclass(frozen=True)
class Execution:
    """A run of the program that proves a verdict; a lasso goes back from its last step to `loop_start`."""

    kind: Kind
    steps: Sequence[Step] = ()
    loop_start: int | None = None
    probability: float | None = None
    """The probability of the whole execution; of a lasso, of going round once from where its loop starts."""
    replayed: bool = False
    """Was it simulated, was every step possible, and does what was simulated show the claim?"""
    claim: str = ""
    """What the execution shows, in words."""
    note: str = ""
    """What the user should know about it: why it was not replayed, whether every turn is alike."""
    children: tuple[tuple[int, Execution], ...] = ()
    """Evidence inside evidence: (number of the step, execution from there)."""
    further: tuple[Execution, ...] = ()
    """Executions of the same kind that, together with this one, make up a probability."""
    track: Track | None = field(default=None, repr=False, compare=False)
    """What acted at each step, where the execution was simulated."""
    beside: Later[Beside | None] | None = field(default=None, repr=False, compare=False)
    hints: Sequence[Hint] = ()
    """What may have caused the violation that the execution shows."""

    @property
    def passing(self) -> Beside | None:
        """The nearest execution that passes, where this one breaks an invariant."""
        return None if self.beside is None else self.beside()

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def __len__(self) -> int:
        return len(self.steps)

    def __repr__(self) -> str:
        chance = "" if self.probability is None else f", probability {chance_text(self.probability)}"
        return f"<Execution ({self.kind}): {counted(len(self.steps), 'step')}{chance}; {self.claim}>"

    def with_children(self, children: Sequence[tuple[int, Execution]]) -> Execution:
        """The same execution with evidence for nested formulas."""
        return replace(self, kind="tree", children=tuple(children)) if children else self

    def noted(self, note: str, *, replayed: bool = True) -> Execution:
        """The same execution with a note; `replayed=False` takes back that it shows its claim."""
        return replace(self, note=note, replayed=self.replayed and replayed)

    def with_hints(self, relevant: Sequence[bool], hints: Sequence[Hint]) -> Execution:
        """The same execution, its steps told apart by whether they can matter."""
        return replace(self, steps=self._marked(tuple(relevant)), hints=tuple(hints))

    def without_hints(self, claim: str) -> Execution:
        """The same execution as evidence for another claim."""
        return replace(self, steps=self._marked((True,) * len(self)), hints=(), claim=claim)

    def _marked(self, relevant: Sequence[bool]) -> Sequence[Step]:
        """The steps, told which of them can matter."""
        if len(relevant) != len(self.steps):
            raise ValueError(f"{len(relevant)} marks for {len(self.steps)} steps")
        return LaterList.each(len(self.steps), lambda k: replace(self.steps[k], relevant=relevant[k]))

    def to_circuit(self) -> QuantumCircuit:
        """The executed path as a straight-line circuit; choices become post-selected measurements."""
        with loading():
            from qismc.evidence.circuit import to_circuit  # noqa: PLC0415 - needed on demand only

        return to_circuit(self)

    def draw(self) -> Any:
        """A matplotlib figure of the program's circuit with this execution marked."""
        return showing.figure(self)

    def _repr_html_(self) -> str:
        return showing.fragment(self)
