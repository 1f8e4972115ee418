"""What one statement does: for each way out, the Kraus families that act and the new store."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from typing_extensions import assert_never

from qismc.errors import LimitReached
from qismc.program import PROJECT, RESET, Apply, Program, Store, mask, statements, write_bit, write_bits
from qismc.system.flow import successors
from qismc.system.gates import Application

Family = tuple[Application, ...]
"""Kraus operators: the alternatives of one quantum step."""

HAVOC_LIMIT_BITS = 12
MOST_QUBITS_KEPT = 1 << 12
"""Number of qubits whose projections and resets are kept."""

# Gates act before the end of a run, so that an `Apply` at its end does nothing more.
STEERING = Apply | statements.Control
"""Statements that, at the end of a run, change neither qubits nor the store."""
ACTING_ON_NOTHING = STEERING | statements.Classical
"""Statements that, at the end of a run, change no qubits."""
WRITING = statements.Measure | statements.Classical
"""Statements that change the store."""
CHOOSING = statements.Branch | statements.Switch
"""Statements where the store chooses the way out; at all others every store has the same ways."""
STATED = statements.Initialize | statements.Channel
"""Statements that say themselves what acts: their families are made once for all stores."""
UNCHOSEN = (None,)
"""The outcomes where there is no choice."""


def roundings(gates: Iterable[Application]) -> float:
    """How many factors act one after the other, those with large angles or matrices counted as several."""
    return sum([operator.roundings for operator, _ in gates])


class Way(NamedTuple):
    """One way out of a statement: `families` act one after the other; control goes to `point`."""

    families: tuple[Family, ...]
    point: int
    outcome: int | None = None
    """The measured bit or the chosen value, where there is a choice."""
    writer: statements.Statement | None = None
    """The statement, if it writes to the store."""

    def after(self, store: Store) -> Store:
        """The store that control arrives with."""
        return store if self.writer is None else next_store(self.writer, store, self.outcome)


def families(statement: statements.Statement, outcome: int | None) -> tuple[Family, ...]:
    """The Kraus families of a statement that ends a run, given the outcome where it measures."""
    if isinstance(statement, ACTING_ON_NOTHING):
        return ()
    match statement:
        case statements.Measure(qubit):
            return _projections(qubit)[outcome or 0]
        case statements.Reset(qubit):
            return _reset(qubit)
        case statements.Initialize(qubits, preparation):
            resets = [family for qubit in qubits for family in _reset(qubit)]
            return (*resets, (Application(preparation, qubits),))
        case statements.Channel(qubits, kraus):
            return (tuple(Application(one, qubits) for one in kraus),)
    assert_never(statement)


@lru_cache(maxsize=MOST_QUBITS_KEPT)
def _projections(qubit: int) -> tuple[tuple[Family, ...], ...]:
    """By outcome. All measurements of a qubit share them, so that they are compiled once."""
    return tuple(((Application(projection, (qubit,)),),) for projection in PROJECT)


@lru_cache(maxsize=MOST_QUBITS_KEPT)
def _reset(qubit: int) -> tuple[Family, ...]:
    return (tuple(Application(operator, (qubit,)) for operator in RESET),)


def outcomes(statement: statements.Statement) -> Sequence[int | None]:
    """The choices that the classical side alone leaves open."""
    if isinstance(statement, statements.Measure):
        return (0, 1)
    if not isinstance(statement, statements.Havoc):
        return UNCHOSEN
    if len(statement.bits) > HAVOC_LIMIT_BITS:
        raise LimitReached(
            f"an input or uninitialised variable has {len(statement.bits)} bits, "
            f"at most {HAVOC_LIMIT_BITS} are enumerated",
            hint="initialise the variable in the program",
        )
    return range(1 << len(statement.bits))


def next_store(statement: statements.Statement, store: Store, outcome: int | None) -> Store:
    """The store after the statement."""
    if not isinstance(statement, WRITING):
        return store
    match statement:
        case statements.Measure(_, bit):
            return write_bit(store, bit, outcome or 0)
        case statements.Havoc(bits):
            return write_bits(store, bits, outcome or 0)
        case statements.Assign(bits, value):
            return write_bits(store, bits, value.evaluate(store) & mask(len(bits)))
        case statements.AssignAt(bits, index, value):
            place = index.evaluate(store)
            if 0 <= place < len(bits):
                return write_bit(store, bits[place], value.evaluate(store) & 1)
            return store
    assert_never(statement)


def next_point(program: Program, point: int, store: Store) -> int:
    """Where control goes from `point`, as the store decides."""
    statement = program.code[point]
    match statement:
        case statements.Branch(condition, then, otherwise):
            target = then if condition.evaluate(store) else otherwise
        case statements.Switch():
            target = statement.cases.get(statement.target.evaluate(store), statement.default)
        case _:
            return successors(program, point)[0]
    return program.settle(target)


def ways(program: Program, point: int, store: Store, chosen: Iterable[int | None] | None = None) -> list[Way]:
    """Every way out of the location (point, store), or those with the chosen outcomes."""
    statement = program.code[point]
    target = next_point(program, point, store)
    if chosen is None and isinstance(statement, STEERING):
        return [Way((), target)]
    chosen = outcomes(statement) if chosen is None else chosen
    writer = statement if isinstance(statement, WRITING) else None
    if isinstance(statement, STATED):
        shared = program.once(("families", point), lambda _: families(statement, None))
        return [Way(shared, target, outcome) for outcome in chosen]
    return [Way(families(statement, outcome), target, outcome, writer) for outcome in chosen]
