"""From syntax trees and Qiskit objects to propositions about a given program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from qiskit import QuantumCircuit
from qiskit.quantum_info import Statevector

from qismc.errors import SpecError, UnsupportedError, at_source, suggestion
from qismc.program import read_program
from qismc.program.program import Program
from qismc.program.source import Source
from qismc.program.statements import Apply, Leaf, Mark
from qismc.spec import syntax
from qismc.spec.parser import parse_subspace
from qismc.spec.printer import to_text
from qismc.subspace.propositions import (
    Nothing,
    Proposition,
    SpanOf,
    Stabilised,
    Whole,
    join,
    meet,
    perp,
)
from qismc.subspace.states import KetSum, Listed, Prepared, State
from qismc.subspace.subspace import Subspace
from qismc.system.edges import Application
from qismc.wording import counted

KET_ORDER = "kets read left to right as qubit 0, 1, 2, ..."


@dataclass
class Scope:
    """What names mean: the program's qubits, the user's propositions, recorded post-conditions."""

    program: Program
    props: Mapping[str, Any] = field(default_factory=dict)
    post: Callable[[str], Proposition] | None = None
    sources: Mapping[str, Source] = field(default_factory=dict)
    """Where propositions are defined, if in a file."""
    _resolved: dict[str, Proposition] = field(default_factory=dict)
    _open: list[str] = field(default_factory=list)

    def prop(self, name: str) -> Proposition:
        """The proposition of that name."""
        if name not in self.props:
            hint = suggestion(name, self.props) or "define it with props= or a `//@ prop` line"
            raise SpecError(f"unknown proposition '{name}'", hint=hint)
        if name in self._open:
            raise SpecError(f"proposition '{name}' is defined by itself: {' -> '.join([*self._open, name])}")
        if name not in self._resolved:
            self._open.append(name)
            try:
                with at_source(self.sources.get(name)):
                    self._resolved[name] = resolve(self.props[name], self)
            finally:
                self._open.pop()
        return self._resolved[name]

    def qubits(self, refs: tuple[syntax.Ref, ...]) -> tuple[int, ...]:
        """The numbers of qubits named by registers or single qubits."""
        found: list[int] = []
        for ref in refs:
            found += self._qubits(ref)
        twice = {q for q in found if found.count(q) > 1}
        if twice:
            raise SpecError(f"qubit {self.program.qubits[min(twice)]} is named twice in 'on'")
        return tuple(found)

    def _qubits(self, ref: syntax.Ref) -> tuple[int, ...]:
        registers = self.program.quantum_registers
        if ref.name not in registers:
            if str(ref) in self.program.qubits:
                return (self.program.qubits.index(str(ref)),)
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


def resolve(meaning: Any, scope: Scope) -> Proposition:
    """The proposition that text, a Statevector, a circuit, a Subspace or a list of these stands for."""
    if isinstance(meaning, str):
        return resolve_tree(parse_subspace(meaning), scope)
    if isinstance(meaning, Subspace):
        _check_width(meaning.num_qubits, scope, "the subspace")
        return meaning.proposition
    if isinstance(meaning, Statevector | QuantumCircuit):
        return SpanOf((state_of(meaning, scope),))
    if isinstance(meaning, list | tuple):
        found: Proposition = Nothing()
        for item in meaning:
            found = join(found, resolve(item, scope))
        return found
    if isinstance(meaning, Proposition):
        return meaning
    raise SpecError(
        f"a subspace cannot be made of {type(meaning).__name__} {meaning!r:.60}",
        hint="give ket text, a Statevector, a QuantumCircuit, a Subspace, or a list of these",
    )


def state_of(meaning: Statevector | QuantumCircuit, scope: Scope) -> State:
    """One state on all qubits of the program."""
    if isinstance(meaning, QuantumCircuit):
        return _prepared(meaning, scope)
    width = meaning.num_qubits
    if width is None:
        raise SpecError(f"a Statevector over {meaning.dims()} is not a state of qubits")
    _check_width(width, scope, "the Statevector")
    values = np.asarray(meaning.data, dtype=complex)
    if not np.linalg.norm(values) > 0:
        raise SpecError("the Statevector is zero, so it spans nothing")
    return Listed(values.reshape((2,) * width).transpose().reshape(-1))


def _prepared(circuit: QuantumCircuit, scope: Scope) -> State:
    program = read_program(circuit)
    _check_width(program.num_qubits, scope, "the circuit that prepares a state")
    for statement in program.code:
        if not isinstance(statement, Apply | Mark | Leaf):
            raise UnsupportedError(
                f"a circuit that stands for a state may hold gates only, not {type(statement).__name__}"
            )
    return Prepared(program.num_qubits, tuple(Application(*s) for s in program.code if isinstance(s, Apply)))


def _check_width(width: int, scope: Scope, what: str) -> None:
    if width != scope.program.num_qubits:
        raise SpecError(f"{what} has {counted(width, 'qubit')}, the program has {scope.program.num_qubits}")


def resolve_tree(tree: syntax.Subspace, scope: Scope, qubits: tuple[int, ...] | None = None) -> Proposition:
    """The proposition of a syntax tree; `qubits` are those of an enclosing `on`."""
    if isinstance(tree, syntax.Full):
        return Whole()
    if isinstance(tree, syntax.Zero):
        return Nothing()
    if isinstance(tree, syntax.Ket):
        return _ket(tree, scope, qubits)
    if isinstance(tree, syntax.Stab):
        return _stabilised(tree, scope, qubits)
    if isinstance(tree, syntax.PropName | syntax.SpOf) and qubits is not None:
        _check_names_all(qubits, tree, scope)
    if isinstance(tree, syntax.PropName):
        return scope.prop(tree.name)
    if isinstance(tree, syntax.SpOf):
        if scope.post is None:
            raise SpecError(
                f"sp({tree.mark}) is not known here", hint="use it in a formula or a prop, not in init"
            )
        return scope.post(tree.mark)
    if isinstance(tree, syntax.On):
        if qubits is not None:
            raise SpecError("'on' stands inside another 'on'", hint="name the qubits once, outside")
        return resolve_tree(tree.subspace, scope, scope.qubits(tree.qubits))
    if isinstance(tree, syntax.Span):
        found: Proposition = Nothing()
        for item in tree.items:
            found = join(found, resolve_tree(item, scope, qubits))
        return found
    if isinstance(tree, syntax.Complement):
        return perp(resolve_tree(tree.operand, scope, qubits))
    combine = meet if isinstance(tree, syntax.Meet) else join
    return combine(resolve_tree(tree.left, scope, qubits), resolve_tree(tree.right, scope, qubits))


def _check_names_all(qubits: tuple[int, ...], tree: syntax.Subspace, scope: Scope) -> None:
    """What has a name speaks of all qubits in order; an `on` around it must say the same."""
    if qubits != tuple(range(scope.program.num_qubits)):
        raise SpecError(
            f"'on' cannot move '{to_text(syntax.Quantum(tree))}' to other qubits: it speaks of all of them",
            hint="write 'on' where the proposition is defined",
        )


def _ket(tree: syntax.Ket, scope: Scope, qubits: tuple[int, ...] | None) -> Proposition:
    letters = tree.terms[0].letters
    wanted = scope.program.num_qubits if qubits is None else len(qubits)
    if len(letters) != wanted:
        hint = "add `on q[...]` to speak of some qubits only" if qubits is None else KET_ORDER
        where = "the program has" if qubits is None else "'on' names"
        size = counted(len(letters), "letter")
        raise SpecError(f"ket |{letters}> has {size}, {where} {counted(wanted, 'qubit')}", hint=hint)
    terms = tuple((term.coefficient, term.letters) for term in tree.terms)
    return SpanOf((KetSum(terms),), qubits)


def _stabilised(tree: syntax.Stab, scope: Scope, qubits: tuple[int, ...] | None) -> Proposition:
    on = tuple(range(scope.program.num_qubits)) if qubits is None else qubits
    paulis = []
    for text in tree.paulis:
        sign, string = (-1 if text[0] == "-" else 1), text.lstrip("+-")
        if len(string) != len(on):
            raise SpecError(
                f"Pauli string {text} has {len(string)} letters, but there are {len(on)} qubits",
                hint=KET_ORDER,
            )
        paulis.append((sign, string))
    for k, (_, first) in enumerate(paulis):
        for _, second in paulis[:k]:
            if sum(p != q and "I" not in (p, q) for p, q in zip(first, second, strict=True)) % 2:
                raise SpecError(f"{second} and {first} anticommute, so no state is stabilised by both")
    return _without_identities(paulis, on)


def _without_identities(paulis: list[tuple[int, str]], on: tuple[int, ...]) -> Proposition:
    """Strings of I alone say nothing, or with a minus that there is no state."""
    telling = tuple((sign, string) for sign, string in paulis if string.strip("I"))
    if any(sign < 0 and not string.strip("I") for sign, string in paulis):
        return Nothing()
    return Stabilised(telling, on) if telling else Whole()
