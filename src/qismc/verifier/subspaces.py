"""Is a state in a subspace, as the text of a formula says it?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from typing_extensions import assert_never

from qismc.program.operators import Base, Factor, Operator
from qismc.program.program import Program
from qismc.spec import syntax
from qismc.spec.parser import parse_subspace
from qismc.verifier.numbers import Census
from qismc.verifier.outcome import NotChecked, Refused
from qismc.verifier.vectors import Arena, Span, Tally, Vector

Qubits = tuple[int, ...]


@dataclass(frozen=True)
class State:
    """A state, and the image of its complex conjugate."""

    vector: Vector
    conjugated: Vector


@dataclass
class Subspaces:
    """Tests of membership and orthogonality, by the kind of the subspace."""

    program: Program
    props: Mapping[str, str]
    arena: Arena
    conjugate: Arena
    arrived: Callable[[str], list[State]]
    """The states that arrive at a mark, `leaf`, `init` or `loop`."""
    tally: Tally

    def contains(self, tree: syntax.Subspace, state: State, on: Qubits | None = None) -> bool:
        """Is the state in the subspace (on some qubits, tensor everything on the others)?"""
        match tree:
            case syntax.Full() | syntax.Zero():
                return isinstance(tree, syntax.Full)
            case syntax.Ket() | syntax.Span() | syntax.SpOf() | syntax.Join():
                return self._in_span(self.spanning(tree, on), state, on)
            case syntax.Stab(paulis):
                return all(self._fixed(pauli, state.vector, on) for pauli in paulis)
            case syntax.On(operand, refs):
                return self.contains(operand, state, self._qubits(refs))
            case syntax.PropName(name):
                return self.contains(self._named(name, on), state)
            case syntax.Complement(operand):
                return self._orthogonal(operand, state, on)
            case syntax.Meet(left, right):
                return self.contains(left, state, on) and self.contains(right, state, on)
            case _:
                assert_never(tree)

    def _orthogonal(self, tree: syntax.Subspace, state: State, on: Qubits | None) -> bool:
        match tree:
            case syntax.Full() | syntax.Zero():
                return isinstance(tree, syntax.Zero)
            case syntax.Ket() | syntax.Span() | syntax.SpOf():
                parts = [state.vector] if on is None else self.arena.part(state.vector, on)
                return all(
                    self._is_orthogonal(spanning, part)
                    for spanning in self.spanning(tree, on)
                    for part in parts
                )
            case syntax.Join(left, right):
                return self._orthogonal(left, state, on) and self._orthogonal(right, state, on)
            case syntax.On(operand, refs):
                return self._orthogonal(operand, state, self._qubits(refs))
            case syntax.PropName(name):
                return self._orthogonal(self._named(name, on), state, None)
            case syntax.Complement(operand):
                return self.contains(operand, state, on)
            case syntax.Stab() | syntax.Meet():
                raise NotChecked("the orthocomplement of a stabiliser or of a meet")
            case _:
                assert_never(tree)

    def _is_orthogonal(self, left: State, right: Vector) -> bool:
        self.tally.asked(1, left.conjugated.weight + right.weight)
        return self.arena.inner(left.conjugated, right) == 0

    def _in_span(self, spanning: list[State], state: State, on: Qubits | None) -> bool:
        span = Span(self.arena.ring.p, self.tally)
        for member in spanning:
            span.add(member.vector)
        parts = [state.vector] if on is None else self.arena.part(state.vector, on)
        return all(span.contains(part) for part in parts)

    def spanning(self, tree: syntax.Subspace, on: Qubits | None = None) -> list[State]:
        """States that span a subspace that is given by states."""
        width = self.program.num_qubits if on is None else len(on)
        match tree:
            case syntax.Ket(terms):
                given = [(term.coefficient, term.letters) for term in terms]
                if any(len(letters) != width for _, letters in given):
                    raise Refused(f"a ket of another width than {width} qubits")
                found = State(self.arena.ket(given), self.conjugate.ket(given))
                self.tally.asked(1, found.vector.weight)
                if not found.vector:
                    raise Refused("a ket is the zero vector")
                return [found]
            case syntax.Span(items):
                return [state for item in items for state in self.spanning(item, on)]
            case syntax.Join(left, right):
                return self.spanning(left, on) + self.spanning(right, on)
            case syntax.Zero():
                return []
            case syntax.SpOf(mark) if on is None:
                return self.arrived(mark)
            case syntax.PropName(name) if on is None:
                return self.spanning(self._named(name, on))
        raise NotChecked("a span of something else than kets")

    def _fixed(self, pauli: str, vector: Vector, on: Qubits | None) -> bool:
        string = pauli.lstrip("+-")
        qubits = on if on is not None else tuple(range(self.program.num_qubits))
        if len(string) != len(qubits):
            raise Refused(f"the Pauli string {pauli} has another width than {len(qubits)} qubits")
        factors = tuple(Factor(Base(p.lower()), (k,)) for k, p in enumerate(string) if p != "I")
        image = self.arena.apply(Operator("pauli", len(string), factors), qubits, vector)
        sign = -1 if pauli.startswith("-") else 1
        p = self.arena.ring.p
        self.tally.asked(1, image.weight + vector.weight + 1)
        return {basis: sign * value % p for basis, value in image.entries.items()} == vector.entries

    def _named(self, name: str, on: Qubits | None) -> syntax.Subspace:
        """What has a name speaks of all qubits."""
        if on is not None and on != tuple(range(self.program.num_qubits)):
            raise NotChecked(f"'{name}' on other qubits")
        if name not in self.props:
            raise Refused(f"the proposition '{name}' is not in the certificate")
        return parse_subspace(self.props[name])

    def _qubits(self, refs: Sequence[syntax.Ref]) -> Qubits:
        found: list[int] = []
        for ref in refs:
            register = self.program.named_registers.get(ref.name)
            if register is None:
                if str(ref) not in self.program.qubits:
                    raise Refused(f"there is no qubit '{ref}'")
                found.append(self.program.qubits.index(str(ref)))
            elif ref.index is None:
                found += register
            elif 0 <= ref.index < len(register):
                found.append(register[ref.index])
            else:
                raise Refused(f"there is no qubit '{ref}'")
        return tuple(found)


def take_census(tree: syntax.Subspace, props: Mapping[str, str], census: Census) -> None:
    """Note the numbers of a subspace."""
    match tree:
        case syntax.Ket(terms):
            for term in terms:
                term.coefficient.value(census)
        case syntax.Span(items):
            for item in items:
                take_census(item, props, census)
        case syntax.On(operand) | syntax.Complement(operand):
            take_census(operand, props, census)
        case syntax.Meet(left, right) | syntax.Join(left, right):
            take_census(left, props, census)
            take_census(right, props, census)
        case syntax.PropName(name):
            if name in props:
                take_census(parse_subspace(props[name]), props, census)
        case syntax.Stab() | syntax.Full() | syntax.Zero() | syntax.SpOf():
            pass
        case _:
            assert_never(tree)
