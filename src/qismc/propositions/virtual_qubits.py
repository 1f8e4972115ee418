"""Which parts of formulas name virtual qubits, and whether the routing lets them.

A formula's virtual names mean the places at the end. That is what they say if the part they stand in matters
at the end only: behind `leaf ->`, or beside `& leaf`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from qismc.errors import SpecError
from qismc.language import parse_subspace, syntax, to_text
from qismc.program import PHYSICAL, PREFIX, Moment, Virtual
from qismc.propositions.resolving import Scope

END = syntax.Atom(Moment.END.value)


def check_moving(formula: syntax.Formula, scope: Scope) -> None:
    """Raise SpecError for the first virtual qubit whose place is not known where the formula speaks of it."""
    virtual = scope.program.virtual
    if virtual is None or virtual.still:
        return
    for atom, at_end in _atoms(formula, at_end=False):
        tree = subspace_of(atom, scope)
        for part in virtual_parts(tree, scope):
            name = next(str(ref) for ref in part.qubits if scope.is_virtual(ref))
            if not at_end:
                hint = f"write leaf -> {to_text(atom)}, or name physical qubits"
                raise SpecError(f"routing moves '{name}': where it is, is known at the end only", hint=hint)
            _check_recorded(part, name, scope)


def _check_recorded(part: syntax.On, name: str, scope: Scope) -> None:
    """The states of another place have the qubits at other places."""
    for inner in parts_within(part.subspace, scope):
        if isinstance(inner, syntax.SpOf) and inner.mark != END.name:
            message = f"routing moves '{name}': where it is at '{inner.mark}' is not known"
            raise SpecError(message, hint="name physical qubits beside sp(…)")


def captured(formula: syntax.Formula, scope: Scope) -> Iterator[str]:
    """Warnings about names that a register of the original has, too, and that mean other qubits there."""
    virtual = scope.program.virtual
    if virtual is None:
        return
    for atom, at_end in _atoms(formula, at_end=False):
        for part in parts_within(subspace_of(atom, scope), scope):
            for ref in part.qubits if isinstance(part, syntax.On) else ():
                meant = _namesake(ref, virtual)
                own = scope.qubits((ref,))
                if len(meant) == len(own) and (meant != own or not (at_end or virtual.still)):
                    there = "" if at_end or virtual.still else " at the end"
                    yield (
                        f"'{ref}' is a name of the transpiled circuit: what the original calls so is "
                        f"'{PREFIX}{ref}'{there} (write '{PHYSICAL}{ref}' to say that you mean this one)"
                    )


def _namesake(ref: syntax.Ref, virtual: Virtual) -> tuple[int, ...]:
    """Where the qubits end that the original calls by a name of the transpiled circuit."""
    members = virtual.last.get(PREFIX + ref.name, ())
    return members if ref.index is None else members[ref.index : ref.index + 1]


def virtual_parts(tree: syntax.Subspace | None, scope: Scope) -> Iterator[syntax.On]:
    """The `on` of a subspace that name virtual qubits, those of its propositions included."""
    for part in parts_within(tree, scope):
        if isinstance(part, syntax.On) and any(map(scope.is_virtual, part.qubits)):
            yield part


def names_virtual(atom: syntax.Formula, scope: Scope) -> bool:
    """Does an atomic formula name virtual qubits?"""
    return any(True for _ in virtual_parts(subspace_of(atom, scope), scope))


def subspace_of(atom: syntax.Formula, scope: Scope) -> syntax.Subspace | None:
    """The subspace that an atomic formula is or names."""
    if isinstance(atom, syntax.Atom) and atom.name in scope.props:
        return syntax.proposition_named(atom.name).subspace
    return atom.subspace if isinstance(atom, syntax.Quantum) else None


def parts_within(tree: syntax.Subspace | None, scope: Scope) -> Iterator[syntax.Subspace]:
    """A subspace and all its parts, with those of the propositions that it names; each of these once."""
    waiting = [] if tree is None else [tree]
    seen: set[str] = set()
    while waiting:
        part = waiting.pop()
        yield part
        if isinstance(part, syntax.PropName):
            if part.name not in seen:
                waiting += _texts(scope.props.get(part.name))
            seen.add(part.name)
        else:
            waiting += syntax.subspaces_in(part)


def _texts(meaning: Any) -> list[syntax.Subspace]:
    """What the user wrote as a proposition; objects name no qubits."""
    if isinstance(meaning, list | tuple):
        return [tree for item in meaning for tree in _texts(item)]
    return [parse_subspace(meaning)] if isinstance(meaning, str) else []


# --- the end -----------------------------------------------------------------------------------------------


def _atoms(formula: syntax.Formula, *, at_end: bool) -> Iterator[tuple[syntax.Formula, bool]]:
    """The atomic formulas; does their truth matter at the end only?"""
    sides = at_the_end(formula, known=at_end)
    if not sides:
        yield formula, at_end
    for part, there in sides:
        yield from _atoms(part, at_end=there)


def at_the_end(formula: syntax.Formula, *, known: bool) -> list[tuple[syntax.Formula, bool]]:
    """The immediate parts of a formula, each with whether its truth matters at the end only.

    `known`: it is known that the truth of the formula itself matters at the end only.
    """
    match formula:
        case syntax.Temporal(_, _, parts) | syntax.Probability(_, _, parts):
            return [(part, False) for part in parts]
        case syntax.And(left, right) | syntax.Or(left, right):
            there = isinstance(formula, syntax.And)
            return [(left, known or _is_end(right, there)), (right, known or _is_end(left, there))]
        case syntax.Implies(left, right):
            return [(left, known or _is_end(right, False)), (right, known or _is_end(left, True))]
    return [(part, known) for part in syntax.operands(formula)]


def _is_end(formula: syntax.Formula, truth: bool) -> bool:
    """Does a formula have this truth value at the end only? (Not always noticed.)"""
    match formula:
        case syntax.Atom():
            return truth and formula == END
        case syntax.Not(operand):
            return _is_end(operand, not truth)
        case syntax.And() | syntax.Or() | syntax.Implies():
            sides = [_is_end(part, wanted) for part, wanted in syntax.signed(formula, truth)]
            return any(sides) if truth == isinstance(formula, syntax.And) else all(sides)
    return False
