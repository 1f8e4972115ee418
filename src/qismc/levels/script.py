"""Scripts: what happens to a vector between two stations, and what is asked of it on the way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from qismc.program import Factor
from qismc.propositions import Proposition
from qismc.symbolic import Bool

Factors = tuple[Factor, ...]


@dataclass(frozen=True)
class BitReading:
    """A bit as a function of levels, and what keeps the stores where it is 0 and where it is 1.

    None for values that it never has.
    """

    function: Bool
    kept: tuple[Factors | None, Factors | None]


@dataclass(frozen=True)
class Probe:
    """A question at a point: what `factors` leave of the vector must be nothing, or lie in the proposition.

    `number` names the question. `view[q]` is the level that stands for qubit q; `quantum` are the levels that
    hold no classical value. `reads` are the positions of the store that are to be read.
    """

    number: int
    point: int
    factors: Factors
    proposition: Proposition | None
    view: Mapping[int, int]
    quantum: frozenset[int]
    reads: tuple[BitReading, ...] = ()


@dataclass(frozen=True)
class ScriptPiece:
    """Operators, then questions."""

    factors: Factors
    probes: tuple[Probe, ...] = ()


@dataclass(frozen=True)
class Exit:
    """The way to another station: `factors` keep the stores that go there and put everything in its place.

    Levels in `forgotten` are then put to 0 for the next turn. `moved[x]` is where the content of level x
    stands, and `classical` are the levels that hold classical values at the target.
    """

    target: int
    factors: Factors
    forgotten: tuple[int, ...] = ()
    classical: tuple[int, ...] = ()
    moved: Mapping[int, int] = field(default_factory=dict)


Digits = tuple[Bool, ...]
"""A number, lowest digit first."""


@dataclass(frozen=True)
class Choices:
    """What happened at a statement: its outcome, and the number of the Kraus operator of each family."""

    outcome: Digits | None = None
    kraus: tuple[Digits, ...] = ()


NOTHING = Choices()


@dataclass(frozen=True)
class Script:
    """From one station to the next; `chosen[p]` is what the statement at p chooses."""

    station: int
    pieces: tuple[ScriptPiece, ...]
    exits: tuple[Exit, ...]
    chosen: Mapping[int, Choices]


def all_factors(scripts: Iterable[Script]) -> Iterable[Factor]:
    """Every operator that may act on a vector."""
    for script in scripts:
        for piece in script.pieces:
            yield from piece.factors
            for probe in piece.probes:
                yield from probe.factors
                for kept in (kept for read in probe.reads for kept in read.kept if kept is not None):
                    yield from kept
        for way in script.exits:
            yield from way.factors
