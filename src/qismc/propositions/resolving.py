"""From syntax trees and Qiskit objects to propositions about a given program."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np
from typing_extensions import assert_never

from qismc.common.paulis import Pauli
from qismc.common.source import Source
from qismc.common.wording import counted, quoted
from qismc.errors import SpecError, UnsupportedError, at_source, suggestion
from qismc.language import parse_subspace, syntax
from qismc.program import Apply, Leaf, Mark, Moment, Program, is_circuit, is_statevector, read_program
from qismc.propositions.codes import restricted
from qismc.propositions.propositions import (
    NOTHING,
    Nothing,
    Proposition,
    SpanOf,
    Stabilised,
    Support,
    Whole,
    join,
    meet,
    perp,
    proposition_text,
)
from qismc.propositions.reading import NumberReading
from qismc.propositions.states import KetSum, Listed, Prepared, State, digest_of
from qismc.propositions.subspace import Subspace
from qismc.system import Application, identity

Qubits = tuple[int, ...]
if TYPE_CHECKING:
    from qiskit import QuantumCircuit
    from qiskit.quantum_info import Statevector

KET_ORDER = "kets read left to right as qubit 0, 1, 2, ..."


@dataclass
class Scope:
    """What names mean: the program's qubits, the user's propositions, recorded post-conditions."""

    program: Program
    props: Mapping[str, Any] = field(default_factory=dict)
    post: Callable[[str], Proposition] | None = None
    sources: Mapping[str, Source] = field(default_factory=dict)
    """Where propositions are defined, if in a file."""
    reading: NumberReading = field(default_factory=NumberReading)
    """How numbers are read."""
    moment: Moment | None = None
    """When virtual qubits are looked for; without it, only those that stay where they are have a place."""
    mentioning: dict[str, bool] = field(default_factory=dict)
    """Which propositions speak of sp(..), as far as somebody asked."""
    _resolved: dict[tuple[str, Qubits | None], Proposition] = field(default_factory=dict)
    _open: list[str] = field(default_factory=list)

    def prop(self, name: str, qubits: Qubits | None = None) -> Proposition:
        """The proposition of that name; `qubits` are those of an `on` around it."""
        if name not in self.props:
            hint = suggestion(name, self.props) or "define it with props= or a `//@ prop` line"
            raise SpecError(f"unknown proposition '{name}'", hint=hint)
        if name in self._open:
            raise SpecError(f"proposition '{name}' is defined by itself: {' -> '.join([*self._open, name])}")
        if (name, qubits) not in self._resolved:
            self._open.append(name)
            try:
                with at_source(self.sources.get(name)):
                    self._resolved[name, qubits] = resolve(self.props[name], self, qubits)
            finally:
                self._open.pop()
        return self._resolved[name, qubits]

    def placed(self, qubits: Qubits | None) -> Qubits | None:
        """The qubits that something without an `on` of its own speaks of; None means all of them."""
        return self.program.own_qubits if qubits is None and self.program.partners else qubits

    def width(self, qubits: Qubits | None) -> int:
        """How many qubits these are."""
        return len(self.program.own_qubits if qubits is None else qubits)

    def qubits(self, refs: tuple[syntax.Ref, ...]) -> tuple[int, ...]:
        """The numbers of qubits named by registers or single qubits."""
        found: list[int] = []
        for ref in refs:
            found += self._qubits(ref)
        twice = {q for q in found if found.count(q) > 1}
        if twice:
            raise SpecError(f"qubit {self.program.qubits[min(twice)]} is named twice in 'on'")
        return tuple(found)

    def at(self, moment: Moment | None) -> Scope:
        """The same names, those of virtual qubits at another moment."""
        return replace(self, moment=moment, _resolved={}, _open=[])

    def is_virtual(self, ref: syntax.Ref) -> bool:
        """Does it name qubits of the circuit that the program was transpiled from?"""
        program = self.program
        own = ref.name in program.quantum_registers or str(ref) in program.qubits
        return not own and program.virtual is not None and ref.name in program.virtual.first

    def _registers(self, ref: syntax.Ref) -> Mapping[str, Qubits]:
        """The registers among which a name is looked up."""
        virtual = self.program.virtual
        if virtual is None or not self.is_virtual(ref):
            return self.program.named_registers
        places = virtual.places(self.moment)
        if places is None:
            raise SpecError(
                f"routing moves '{ref}': where it is, is known at the start and at the end only",
                hint="name physical qubits",
            )
        return places

    def _qubits(self, ref: syntax.Ref) -> tuple[int, ...]:
        registers = self._registers(ref)
        if ref.name not in registers:
            if str(ref) in self.program.qubits:
                return (self.program.qubits.index(str(ref)),)
            registers = {**registers, **(self.program.virtual.first if self.program.virtual else {})}
            hint = (
                suggestion(ref.name, registers) or f"quantum registers here: {', '.join(registers) or 'none'}"
            )
            raise SpecError(f"unknown quantum register '{ref.name}'", hint=hint)
        register = registers[ref.name]
        if ref.index is None:
            return tuple(register)
        if not 0 <= ref.index < len(register):
            raise SpecError(
                f"qubit {ref} is out of range", hint=f"'{ref.name}' has {counted(len(register), 'qubit')}"
            )
        return (register[ref.index],)


def resolve(meaning: Any, scope: Scope, qubits: Qubits | None = None) -> Proposition:
    """The proposition that text, a Statevector, a circuit, a Subspace or a list of these stands for.

    `qubits` are those of an enclosing `on`.
    """
    if isinstance(meaning, str):
        return resolve_tree(parse_subspace(meaning), scope, qubits)
    if isinstance(meaning, Subspace):
        return _computed(meaning, scope, qubits)
    if is_statevector(meaning) or is_circuit(meaning):
        return SpanOf((state_of(meaning, scope, qubits),), scope.placed(qubits))
    if isinstance(meaning, list | tuple):
        return reduce(join, (resolve(item, scope, qubits) for item in meaning), NOTHING)
    if isinstance(meaning, SpanOf):
        return scope.reading.span(meaning)
    if isinstance(meaning, Proposition):
        return meaning
    raise _meaningless(meaning)


def check_kind(meaning: Any, what: str) -> None:
    """Raise SpecError for what no subspace can be made of, whoever asks for it."""
    waiting = [meaning]
    while waiting:
        item = waiting.pop()
        if isinstance(item, list | tuple):
            waiting += item
        elif (
            not isinstance(item, str | Subspace | Proposition)
            and not is_statevector(item)
            and not is_circuit(item)
        ):
            raise _meaningless(item, f"{what}: ")


def _meaningless(meaning: Any, what: str = "") -> SpecError:
    return SpecError(
        f"{what}a subspace cannot be made of {type(meaning).__name__} {quoted(meaning)}",
        hint="give ket text, a Statevector, a QuantumCircuit, a Subspace, or a list of these",
    )


def _computed(meaning: Subspace, scope: Scope, qubits: Qubits | None) -> Proposition:
    """A subspace that some model computed, of the program's qubits or of those of an `on`."""
    if qubits is None and meaning.num_qubits == scope.program.num_qubits:
        return meaning.proposition
    _check_width(meaning.num_qubits, scope, qubits, "the subspace")
    span: Proposition = SpanOf(meaning.states, scope.placed(qubits)) if meaning.states else Nothing()
    return perp(span) if meaning.complemented else span


def state_of(meaning: Statevector | QuantumCircuit, scope: Scope, qubits: Qubits | None = None) -> State:
    """One state on all qubits of the program, or on those of an `on`."""
    if is_circuit(meaning):
        return _prepared(meaning, scope, qubits)
    width = meaning.num_qubits
    if width is None:
        raise SpecError(f"a Statevector over {meaning.dims()} is not a state of qubits")
    _check_width(width, scope, qubits, "the Statevector")
    values = np.asarray(meaning.data, dtype=complex)
    if not np.linalg.norm(values) > 0:
        raise SpecError("the Statevector is zero, so it spans nothing")
    return scope.reading.state(Listed(values.reshape((2,) * width).transpose().reshape(-1)))


def _prepared(circuit: QuantumCircuit, scope: Scope, qubits: Qubits | None) -> State:
    program = scope.reading.program(read_program(circuit))
    _check_width(program.num_qubits, scope, qubits, "the circuit that prepares a state")
    for statement in program.code:
        if not isinstance(statement, Apply | Mark | Leaf):
            raise UnsupportedError(
                f"a circuit that stands for a state may hold gates only, not {type(statement).__name__}"
            )
    gates = tuple(Application(*s) for s in program.code if isinstance(s, Apply))
    return Prepared(program.num_qubits, gates)


def _check_width(width: int, scope: Scope, qubits: Qubits | None, what: str) -> None:
    wanted = scope.width(qubits)
    if width != wanted:
        where = "the program has" if qubits is None else "'on' names"
        hint = "define a proposition with it and write `name on q[...]`" if qubits is None else None
        raise SpecError(f"{what} has {counted(width, 'qubit')}, {where} {wanted}", hint=hint)


def resolve_tree(tree: syntax.Subspace, scope: Scope, qubits: Qubits | None = None) -> Proposition:
    """The proposition of a syntax tree; `qubits` are those of an enclosing `on`."""
    match tree:
        case syntax.Full():
            return Whole()
        case syntax.Zero():
            return Nothing()
        case syntax.Ket():
            return _ket(tree, scope, qubits)
        case syntax.Stab():
            return _stabilised(tree, scope, qubits)
        case syntax.PropName(name):
            return scope.prop(name, qubits)
        case syntax.SpOf():
            return _post(tree, scope, qubits)
        case syntax.On(operand, refs):
            return _on(operand, scope.qubits(refs), scope, qubits)
        case syntax.Span(items):
            return reduce(join, (resolve_tree(item, scope, qubits) for item in items), NOTHING)
        case syntax.Complement(operand):
            return perp(resolve_tree(operand, scope, qubits))
        case syntax.Meet(left, right):
            return meet(resolve_tree(left, scope, qubits), resolve_tree(right, scope, qubits))
        case syntax.Join(left, right):
            return join(resolve_tree(left, scope, qubits), resolve_tree(right, scope, qubits))
    assert_never(tree)


def _on(operand: syntax.Subspace, named: Qubits, scope: Scope, around: Qubits | None) -> Proposition:
    """An `on` around another one may only say the same."""
    if around is not None and around != named:
        raise SpecError("'on' stands inside another 'on'", hint="name the qubits once, outside")
    return resolve_tree(operand, scope, named)


def _post(tree: syntax.SpOf, scope: Scope, qubits: Qubits | None) -> Proposition:
    """sp(mark); on some qubits, the support there: the smallest subspace with sp(mark) inside."""
    if scope.post is None:
        raise SpecError(
            f"sp({tree.mark}) is not known here", hint="use it in a formula or a prop, not in init"
        )
    found = scope.post(tree.mark)
    if qubits is None or qubits == tuple(range(scope.program.num_qubits)):
        return found
    if isinstance(found, SpanOf):
        return Support(found.states, qubits)
    if isinstance(found, Stabilised):
        return restricted(found, qubits)
    assert isinstance(found, Nothing | Whole), "sp is a span of states, or a code"
    return found


def _ket(tree: syntax.Ket, scope: Scope, qubits: Qubits | None) -> Proposition:
    letters = tree.terms[0].letters
    wanted = scope.width(qubits)
    if len(letters) != wanted:
        hint = "add `on q[...]` to speak of some qubits only" if qubits is None else KET_ORDER
        where = "the program has" if qubits is None else "'on' names"
        size = counted(len(letters), "letter")
        raise SpecError(f"ket |{letters}> has {size}, {where} {counted(wanted, 'qubit')}", hint=hint)
    terms = tuple((term.coefficient, term.letters) for term in tree.terms)
    return SpanOf((scope.reading.state(KetSum(terms)),), scope.placed(qubits))


def _stabilised(tree: syntax.Stab, scope: Scope, qubits: Qubits | None) -> Proposition:
    on = scope.program.own_qubits if qubits is None else qubits
    paulis = []
    for text in tree.paulis:
        sign, string = (-1 if text[0] == "-" else 1), text.lstrip("+-")
        if len(string) != len(on):
            raise SpecError(
                f"Pauli string {text} has {len(string)} letters, but there are {len(on)} qubits",
                hint=KET_ORDER,
            )
        paulis.append((sign, string))
    _check_commuting([string for _, string in paulis])
    return _without_identities(paulis, on)


def _check_commuting(texts: Sequence[str]) -> None:
    strings = [Pauli.read(text) for text in texts]
    for k, string in enumerate(strings):
        for j, other in enumerate(strings[:k]):
            if not string.commutes(other):
                message = f"{texts[j]} and {texts[k]} anticommute, so no state is stabilised by both"
                raise SpecError(message)


def _without_identities(paulis: list[tuple[int, str]], on: tuple[int, ...]) -> Proposition:
    """Strings of I alone say nothing, or with a minus that there is no state."""
    telling = tuple((sign, string) for sign, string in paulis if string.strip("I"))
    if any(sign < 0 and not string.strip("I") for sign, string in paulis):
        return Nothing()
    return Stabilised(telling, on) if telling else Whole()


def natural_width(meaning: Any) -> int | None:
    """The number of qubits that a meaning has by itself; None where it does not say, or names qubits."""
    if isinstance(meaning, Subspace) or is_statevector(meaning) or is_circuit(meaning):
        width = meaning.num_qubits
        return None if width is None else int(width)
    match meaning:
        case str():
            return natural_width(parse_subspace(meaning))
        case syntax.Ket(terms):
            return len(terms[0].letters)
        case syntax.Stab(paulis):
            return len(paulis[0].lstrip("+-"))
        case list() | tuple():
            parts = meaning
        case syntax.Span() | syntax.Complement() | syntax.Meet() | syntax.Join():
            parts = syntax.subspaces_in(meaning)
        case _:
            return None
    return next((width for width in map(natural_width, parts) if width is not None), None)


# --- texts that random choices depend on -------------------------------------------------------------------


def seed_of(*parts: str) -> int:
    """A seed that depends on every letter of the parts; below 2^53, so that JSON carries it everywhere."""
    digest = hashlib.blake2b("\0".join(parts).encode(), digest_size=8)
    return int.from_bytes(digest.digest(), "big") >> 11


def meaning_text(meaning: Any) -> str:
    """A text for whatever stands for a subspace: text, Statevector, circuit, Subspace, or a list of these."""
    if isinstance(meaning, str):
        return f"text {meaning}"
    if is_statevector(meaning):
        return f"vector {digest_of(meaning.data.tobytes())}"
    if is_circuit(meaning):
        return f"circuit {identity(read_program(meaning))}"
    if isinstance(meaning, Subspace):
        return proposition_text(meaning.proposition)
    if isinstance(meaning, list | tuple):
        return f"list {[meaning_text(item) for item in meaning]}"
    return proposition_text(meaning) if isinstance(meaning, Proposition) else repr(meaning)
