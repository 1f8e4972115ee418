"""What one statement does: for each way out, the Kraus families that act and the new store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from typing_extensions import assert_never

from qismc.errors import LimitReached
from qismc.program.classical import Store, mask, write_bits
from qismc.program.operators import PROJECT, RESET, Operator
from qismc.program.program import Program
from qismc.program.statements import (
    Apply,
    Assign,
    AssignAt,
    Branch,
    Channel,
    Goto,
    Havoc,
    Initialize,
    Jump,
    Leaf,
    Mark,
    Measure,
    Reset,
    Statement,
    Switch,
)

HAVOC_LIMIT_BITS = 12


class Application(NamedTuple):
    """An operator on qubits of the program."""

    operator: Operator
    qubits: tuple[int, ...]


Family = tuple[Application, ...]
"""Kraus operators: the alternatives of one quantum step."""


class Way(NamedTuple):
    """One way out of a statement: `families` act one after the other; control goes to (`point`, `store`)."""

    families: tuple[Family, ...]
    point: int
    store: Store
    outcome: int | None = None
    """The measured bit or the chosen value, where there is a choice."""


def families(statement: Statement, outcome: int | None) -> tuple[Family, ...]:
    """The Kraus families of a statement that ends a run, given the outcome where it measures."""
    if isinstance(statement, Measure):
        return ((Application(PROJECT[outcome or 0], (statement.qubit,)),),)
    if isinstance(statement, Reset):
        return (_reset(statement.qubit),)
    if isinstance(statement, Initialize):
        prepare = (Application(statement.preparation, statement.qubits),)
        return (*(_reset(qubit) for qubit in statement.qubits), prepare)
    if isinstance(statement, Channel):
        return (tuple(Application(kraus, statement.qubits) for kraus in statement.kraus),)
    if isinstance(statement, Apply | Assign | AssignAt | Havoc | Branch | Switch | Goto | Jump | Mark | Leaf):
        return ()
    assert_never(statement)


def _reset(qubit: int) -> Family:
    return tuple(Application(operator, (qubit,)) for operator in RESET)


def outcomes(statement: Statement) -> Iterator[int | None]:
    """The choices that the classical side alone leaves open."""
    if isinstance(statement, Measure):
        yield from (0, 1)
    elif isinstance(statement, Havoc):
        if len(statement.bits) > HAVOC_LIMIT_BITS:
            raise LimitReached(
                f"an input or uninitialised variable has {len(statement.bits)} bits, "
                f"at most {HAVOC_LIMIT_BITS} are enumerated",
                hint="initialise the variable in the program",
            )
        yield from range(1 << len(statement.bits))
    else:
        yield None


def next_store(statement: Statement, store: Store, outcome: int | None) -> Store:
    """The store after the statement."""
    if isinstance(statement, Measure):
        return write_bits(store, (statement.bit,), outcome or 0)
    if isinstance(statement, Havoc):
        return write_bits(store, statement.bits, outcome or 0)
    if isinstance(statement, Assign):
        return write_bits(store, statement.bits, statement.value.evaluate(store) & mask(len(statement.bits)))
    if isinstance(statement, AssignAt):
        index = statement.index.evaluate(store)
        if 0 <= index < len(statement.bits):
            return write_bits(store, (statement.bits[index],), statement.value.evaluate(store) & 1)
        return store
    if isinstance(
        statement, Apply | Reset | Initialize | Channel | Branch | Switch | Goto | Jump | Mark | Leaf
    ):
        return store
    assert_never(statement)


def next_point(program: Program, point: int, store: Store) -> int:
    """Where control goes from `point`, as the store decides."""
    statement = program.code[point]
    if isinstance(statement, Branch):
        target = statement.then if statement.condition.evaluate(store) else statement.otherwise
    elif isinstance(statement, Switch):
        target = statement.cases.get(statement.target.evaluate(store), statement.default)
    elif isinstance(statement, Goto | Jump):
        target = statement.target
    elif isinstance(statement, Leaf):
        target = point
    elif isinstance(
        statement, Apply | Measure | Reset | Initialize | Channel | Assign | AssignAt | Havoc | Mark
    ):
        target = point + 1
    else:
        assert_never(statement)
    return program.settle(target)


Exit = tuple[tuple[Family, ...], int, int | None]
"""The Kraus families, where control goes, and the outcome."""


def _none(_: Program) -> dict[int, list[Exit]]:
    return {}


def _exits(program: Program, point: int) -> list[Exit]:
    """What all stores have in common where none of them decides where control goes."""
    statement, target = program.code[point], next_point(program, point, 0)
    if isinstance(statement, Assign | AssignAt | Goto | Leaf):
        return [((), target, None)]
    return [(families(statement, outcome), target, outcome) for outcome in outcomes(statement)]


def ways(program: Program, point: int, store: Store, chosen: Iterable[int | None] | None = None) -> list[Way]:
    """Every way out of the location (point, store), or those with the chosen outcomes."""
    statement = program.code[point]
    if chosen is None and not isinstance(statement, Branch | Switch):
        known = program.once("exits", _none)
        if point not in known:
            known[point] = _exits(program, point)
        return [Way(f, to, next_store(statement, store, o), o) for f, to, o in known[point]]
    found = []
    for outcome in outcomes(statement) if chosen is None else chosen:
        target = next_point(program, point, store)
        found.append(
            Way(families(statement, outcome), target, next_store(statement, store, outcome), outcome)
        )
    return found
