"""Where a program starts: what `init` means.

A start is a subspace like any other, with two rules of its own. Qubits that it does not mention are |0>: it
is the meet of what the text says with |0..0> on the others. And `any on q` stands for every state of these
qubits, each kept together with what becomes of it: the one vector |00> + |11> + … of the qubits and of as
many partners.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import product
from typing import Any

from qismc.errors import SpecError
from qismc.language import ONE, Coefficient, mul, parse_subspace, syntax
from qismc.program import Base, Factor, Operator, Program, single
from qismc.propositions.propositions import WHOLE, Nothing, Proposition, SpanOf, join, meet
from qismc.propositions.resolving import Qubits, Scope, resolve, resolve_tree
from qismc.propositions.states import KetSum, Prepared, State
from qismc.system import Application

ANY = "any"
REST = syntax.Ref("rest")
"""In `init`: the qubits that the text does not mention otherwise, unless a register has this name."""
LARGEST_START = 1024
"""A start that leaves qubits free is written out if it has at most so many dimensions."""
PREPARED = {"0": "", "1": "x", "+": "h", "-": "xh", "r": "hs", "l": "xhs"}
"""The gates that make a letter of |0>; l is S H X|0>."""


@dataclass(frozen=True)
class Start:
    """The subspace, and what it leaves open, in words."""

    proposition: Proposition
    notes: tuple[str, ...] = ()


def inputs_of(init: Any, scope: Scope) -> Qubits:
    """The qubits of `any on …`, each of which gets a partner."""
    trees = [_read(item, scope) for item in _items(init) if isinstance(item, str)]
    parts = [part for tree in trees for part in syntax.meet_sides(tree) if _is_any(part)]
    found = [q for part in parts for q in _named(part, scope)]
    for tree in trees:
        _check_any(tree, len(trees) > 1 or not isinstance(init, str))
    if len(set(found)) < len(found):
        raise SpecError("'any' names a qubit twice")
    return tuple(found)


def read_start(init: Any, scope: Scope) -> Start:
    """What `init` means for a program that has the partners of its inputs; default: all |0>."""
    if init is None:
        return Start(SpanOf((KetSum(((ONE, "0" * scope.program.num_qubits),)),)))
    found: Proposition = Nothing()
    notes: dict[str, None] = {}
    for item in _items(init):
        tree = _read(item, scope) if isinstance(item, str) else None
        if tree is None:
            found = join(found, resolve(item, scope))
        else:
            found = join(found, _start(tree, scope))
            notes.update(dict.fromkeys(_notes(tree, scope)))
    return Start(found, tuple(notes))


def _items(init: Any) -> list[Any]:
    """Each item of a list is a start of its own."""
    return list(init) if isinstance(init, list | tuple) else [init]


def _read(text: str, scope: Scope) -> syntax.Subspace:
    """The tree, with `rest` written out: the qubits that the other sides of its meets do not mention."""
    parts = syntax.meet_sides(parse_subspace(text))
    if REST.name in scope.program.quantum_registers or not any(map(_names_rest, parts)):
        return reduce(syntax.Meet, parts)
    mentioned = {q for part in parts if not _names_rest(part) for q in mentioned_qubits(part, scope)}
    own = [q for q in scope.program.own_qubits if q not in mentioned]
    if not own:
        raise SpecError("'rest' is empty: init mentions every qubit", hint="what has no `on` speaks of all")
    names = tuple(_ref(scope.program.qubits[q]) for q in own)
    return reduce(syntax.Meet, (_with_rest(part, names) for part in parts))


def _names_rest(tree: syntax.Subspace) -> bool:
    return isinstance(tree, syntax.On) and REST in tree.qubits


def _with_rest(tree: syntax.Subspace, names: tuple[syntax.Ref, ...]) -> syntax.Subspace:
    if not isinstance(tree, syntax.On):
        return tree
    return replace(tree, qubits=tuple(n for ref in tree.qubits for n in (names if ref == REST else (ref,))))


def _ref(name: str) -> syntax.Ref:
    """`q[3]`, or a qubit that stands in no register."""
    register, _, index = name.rstrip("]").partition("[")
    return syntax.Ref(register, int(index)) if index else syntax.Ref(name)


def _start(tree: syntax.Subspace, scope: Scope) -> Proposition:
    program = scope.program
    parts = [_part(part, scope) for part in syntax.meet_sides(tree)]
    mentioned = mentioned_qubits(tree, scope)
    rest = tuple(q for q in program.own_qubits if q not in mentioned)
    if rest:
        parts.append(SpanOf((KetSum(((ONE, "0" * len(rest)),)),), rest))
    return reduce(meet, _tensored(parts, program.num_qubits), WHOLE)


def _part(tree: syntax.Subspace, scope: Scope) -> Proposition:
    """One side of the meets of a start; free qubits as their basis, where that is small."""
    if _is_any(tree):
        named = _named(tree, scope)
        pairs = tuple(scope.program.partners[q] for q in named)
        return SpanOf((_paired(len(named)),), (*named, *pairs))
    if isinstance(tree, syntax.On) and isinstance(tree.subspace, syntax.Full):
        qubits = scope.qubits(tree.qubits)
        if 2 ** len(qubits) <= LARGEST_START:
            return SpanOf(
                tuple(KetSum(((ONE, "".join(k)),)) for k in product("01", repeat=len(qubits))), qubits
            )
    return resolve_tree(tree, scope)


def _paired(count: int) -> State:
    """The sum of |x>|x> over all x of so many digits."""
    h = single("h", 1)
    cx = Operator("cx", 2, (Factor(Base("x"), (1,), ((0, 1),)),))
    gates = [Application(h, (k,)) for k in range(count)]
    gates += [Application(cx, (k, count + k)) for k in range(count)]
    return Prepared(2 * count, tuple(gates))


# --- products ----------------------------------------------------------------------------------------------


def _tensored(parts: Sequence[Proposition], width: int) -> list[Proposition]:
    """The parts with those that are spans on disjoint qubits made one span, unless that is large."""
    spans = [part for part in parts if isinstance(part, SpanOf) and part.qubits is not None]
    qubits = sorted(q for span in spans for q in span.qubits or ())
    if not spans or len(set(qubits)) < len(qubits):
        return list(parts)
    place = {q: k for k, q in enumerate(qubits)}
    local = [tuple(place[q] for q in span.qubits or ()) for span in spans]
    states: list[State] = []
    for combination in product(*(span.states for span in spans)):
        state = _beside(list(zip(combination, local, strict=True)), len(qubits))
        if state is None or len(states) == LARGEST_START:
            return list(parts)
        states.append(state)
    joined = SpanOf(tuple(states), None if len(qubits) == width else tuple(qubits))
    return [joined, *(part for part in parts if part not in spans)]


def _beside(parts: Sequence[tuple[State, Qubits]], width: int) -> State | None:
    """The product of states on disjoint qubits that are all of them."""
    kets = [(state, qubits) for state, qubits in parts if isinstance(state, KetSum)]
    prepared = [(state, qubits) for state, qubits in parts if isinstance(state, Prepared)]
    ket = _product_ket(kets, width)
    if len(kets) == len(parts):
        return ket
    if len(kets) + len(prepared) == len(parts) and len(ket.terms) == 1:
        gates = [Application(single(g, 1), (q,)) for q, a in enumerate(ket.terms[0][1]) for g in PREPARED[a]]
        for state, qubits in prepared:
            gates += [Application(g.operator, tuple(qubits[q] for q in g.qubits)) for g in state.gates]
        return Prepared(width, tuple(gates))
    return None


def _product_ket(parts: Sequence[tuple[KetSum, Qubits]], width: int) -> KetSum:
    """Letters of the parts, 0 where no part speaks."""
    terms = []
    for combination in product(*(state.terms for state, _ in parts)):
        coefficient: Coefficient = ONE
        letters = ["0"] * width
        for (factor, word), (_, qubits) in zip(combination, parts, strict=True):
            coefficient = factor if coefficient == ONE else mul(coefficient, factor)
            for letter, qubit in zip(word, qubits, strict=True):
                letters[qubit] = letter
        terms.append((coefficient, "".join(letters)))
    return KetSum(tuple(terms))


# --- what is said ------------------------------------------------------------------------------------------


def mentioned_qubits(tree: syntax.Subspace, scope: Scope) -> frozenset[int]:
    """The qubits that a subspace names; what stands without `on` speaks of all of them."""
    match tree:
        case syntax.On(_, refs):
            return frozenset(scope.qubits(refs))
        case syntax.PropName(name):
            meaning = scope.props.get(name)
            if isinstance(meaning, str):
                return mentioned_qubits(parse_subspace(meaning), scope)
    parts = syntax.subspaces_in(tree)
    if not parts:
        return frozenset(scope.program.own_qubits)
    return frozenset().union(*(mentioned_qubits(part, scope) for part in parts))


def _without_on(tree: syntax.Subspace) -> syntax.Subspace:
    return tree.subspace if isinstance(tree, syntax.On) else tree


def _is_any(tree: syntax.Subspace) -> bool:
    return _without_on(tree) == syntax.PropName(ANY)


def _named(tree: syntax.Subspace, scope: Scope) -> Qubits:
    return scope.qubits(tree.qubits) if isinstance(tree, syntax.On) else scope.program.own_qubits


def _check_any(tree: syntax.Subspace, listed: bool) -> None:
    """`any` makes one start: it is no part of sums, joins, complements or lists."""
    loose = any(_has_any(part) for part in syntax.meet_sides(tree) if not _is_any(part))
    if loose or (listed and any(map(_is_any, syntax.meet_sides(tree)))):
        hint = "as in init='any on data' or init='(any on data) /\\ (|+> on helper)'"
        raise SpecError("'any' stands alone or between /\\", hint=hint)


def _has_any(tree: syntax.Subspace) -> bool:
    return tree == syntax.PropName(ANY) or any(map(_has_any, syntax.subspaces_in(tree)))


def _notes(tree: syntax.Subspace, scope: Scope) -> Iterator[str]:
    """What the start leaves open, and what it does not mention."""
    program = scope.program
    for part in syntax.meet_sides(tree):
        if _is_any(part) or _without_on(part) == syntax.Full():
            qubits = _named(part, scope)
            kept = ", kept beside a partner" if _is_any(part) else ""
            yield f"init leaves {qubit_list(program, qubits)} free: every state{kept}"
    mentioned = mentioned_qubits(tree, scope)
    rest = [q for q in program.own_qubits if q not in mentioned]
    if rest:
        verb = "starts" if len(rest) == 1 else "start"
        yield f"init does not mention {qubit_list(program, rest)}, which {verb} in |0>"


MOST_NAMES = 4


def qubit_list(program: Program, qubits: Sequence[int]) -> str:
    """Qubits by name: whole registers as one, and the number of those beyond a few."""
    names, left = [], list(dict.fromkeys(qubits))
    for register, members in program.quantum_registers.items():
        if members and set(members) <= set(left):
            names.append(register)
            left = [q for q in left if q not in members]
    names += [program.qubits[q] for q in left]
    more = len(names) - MOST_NAMES
    return ", ".join(names) if more <= 0 else f"{', '.join(names[:MOST_NAMES])} and {more} more"
