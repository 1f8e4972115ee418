"""Is a state in a subspace, as the text of a formula says it?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from typing_extensions import assert_never

from qismc.common.lazily import cached_method
from qismc.language import syntax
from qismc.program import Base, Factor, Operator, Program
from qismc.verifier.outcome import NotChecked, Refused, quote
from qismc.verifier.vectors import Arena, Echelon, Tally, Vector

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
    props: Mapping[str, syntax.Subspace]
    arena: Arena
    conjugate: Arena
    arrived: Callable[[str], list[State]]
    """The states that arrive at a mark, `leaf`, `init` or `loop`."""
    tally: Tally

    def check(self, tree: syntax.Subspace, on: Qubits | None = None) -> None:
        """Raise Refused or NotChecked for what has no meaning here, whether its truth matters or not."""
        match tree:
            case syntax.Ket():
                self.spanning(tree, on)
            case syntax.Stab(paulis):
                for pauli in paulis:
                    self._string(pauli, on)
            case syntax.Span() | syntax.Join() | syntax.Meet() | syntax.Complement():
                for part in syntax.subspaces_in(tree):
                    self.check(part, on)
            case syntax.On(operand, refs):
                self.check(operand, self._placed(refs, on))
            case syntax.PropName(name):
                self.check(self._named(name, on))
            case syntax.SpOf(mark):
                self.arrived(mark)
            case syntax.Full() | syntax.Zero():
                pass
            case _:
                assert_never(tree)

    def contains(self, tree: syntax.Subspace, state: State, on: Qubits | None = None) -> bool:
        """Is the state in the subspace (on some qubits, tensor everything on the others)?"""
        self.tally.spend(1)
        match tree:
            case syntax.Full() | syntax.Zero():
                return isinstance(tree, syntax.Full)
            case syntax.Ket() | syntax.Span() | syntax.SpOf() | syntax.Join():
                return self._in_span(self.spanning(tree, on), state, on)
            case syntax.Stab(paulis):
                return all(self._fixed(pauli, state.vector, on) for pauli in paulis)
            case syntax.On(operand, refs):
                return self.contains(operand, state, self._placed(refs, on))
            case syntax.PropName(name):
                return self.contains(self._named(name, on), state)
            case syntax.Complement(operand):
                return self._orthogonal(operand, state, on)
            case syntax.Meet(left, right):
                return self.contains(left, state, on) and self.contains(right, state, on)
            case _:
                assert_never(tree)

    def _orthogonal(self, tree: syntax.Subspace, state: State, on: Qubits | None) -> bool:
        self.tally.spend(1)
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
                return self._orthogonal(operand, state, self._placed(refs, on))
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
        span = Echelon.of(self.arena.ring.p, self.tally, (member.vector for member in spanning))
        parts = [state.vector] if on is None else self.arena.part(state.vector, on)
        return all(span.contains(part) for part in parts)

    def start(self, tree: syntax.Subspace) -> list[State]:
        """States that span a start; qubits that it does not name are |0>."""
        if not isinstance(tree, syntax.On):
            return self.spanning(tree)
        qubits = self._placed(tree.qubits, None)
        return [
            State(_moved(state.vector, qubits), _moved(state.conjugated, qubits))
            for state in self.spanning(tree.subspace, qubits)
        ]

    def spanning(self, tree: syntax.Subspace, on: Qubits | None = None) -> list[State]:
        """States that span a subspace that is given by states."""
        match tree:
            case syntax.Ket():
                return [self._ket(tree, on)]
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

    @cached_method
    def _ket(self, tree: syntax.Ket, on: Qubits | None) -> State:
        width = self.program.num_qubits if on is None else len(on)
        given = [(term.coefficient, term.letters) for term in tree.terms]
        if any(len(letters) != width for _, letters in given):
            raise Refused(f"a ket of another width than {width} qubits")
        found = State(self.arena.ket(given), self.conjugate.ket(given))
        self.tally.asked(1, found.vector.weight)
        self.tally.keep(2 * len(found.vector.entries))
        if not found.vector:
            raise Refused("a ket is the zero vector")
        return found

    def _fixed(self, pauli: str, vector: Vector, on: Qubits | None) -> bool:
        string, qubits = self._string(pauli, on)
        factors = tuple(Factor(Base(p.lower()), (k,)) for k, p in enumerate(string) if p != "I")
        image = self.arena.apply(Operator("pauli", len(string), factors), qubits, vector)
        sign = -1 if pauli.startswith("-") else 1
        p = self.arena.ring.p
        self.tally.asked(1, image.weight + vector.weight + 1)
        return {basis: sign * value % p for basis, value in image.entries.items()} == vector.entries

    def _string(self, pauli: str, on: Qubits | None) -> tuple[str, Qubits]:
        """A Pauli string without its sign, and its qubits."""
        string = pauli.lstrip("+-")
        qubits = on if on is not None else tuple(range(self.program.num_qubits))
        if len(string) != len(qubits):
            raise Refused(f"the Pauli string {quote(pauli)} has another width than {len(qubits)} qubits")
        return string, qubits

    def _named(self, name: str, on: Qubits | None) -> syntax.Subspace:
        """What has a name speaks of all qubits."""
        if on is not None and on != tuple(range(self.program.num_qubits)):
            raise NotChecked(f"'{name}' on other qubits")
        if name not in self.props:
            raise Refused(f"the proposition {quote(name)} is not in the certificate")
        return self.props[name]

    def _placed(self, refs: Sequence[syntax.Ref], around: Qubits | None) -> Qubits:
        """The qubits of an `on`; one around another one may only say the same."""
        found = self._qubits(refs)
        if len(set(found)) < len(found):
            raise Refused("a qubit is named twice behind 'on'")
        if around is not None and around != found:
            raise Refused("'on' stands inside another 'on'")
        return found

    def _qubits(self, refs: Sequence[syntax.Ref]) -> Qubits:
        found: list[int] = []
        for ref in refs:
            if is_virtual(self.program, ref):
                raise NotChecked(f"virtual qubits such as {quote(str(ref))}")
            register = self.program.named_registers.get(ref.name)
            if register is None:
                if str(ref) not in self.program.qubits:
                    raise Refused(f"there is no qubit {quote(str(ref))}")
                found.append(self.program.qubits.index(str(ref)))
            elif ref.index is None:
                found += register
            elif 0 <= ref.index < len(register):
                found.append(register[ref.index])
            else:
                raise Refused(f"there is no qubit {quote(str(ref))}")
        return tuple(found)


def is_virtual(program: Program, ref: syntax.Ref) -> bool:
    """Does it name qubits of the circuit that the program was transpiled from?"""
    own = ref.name in program.quantum_registers or str(ref) in program.qubits
    return not own and program.virtual is not None and ref.name in program.virtual.first


def _moved(vector: Vector, qubits: Qubits) -> Vector:
    """A state of some qubits beside |0> on the others."""
    places = [1 << qubit for qubit in qubits]
    entries = {
        sum(place for k, place in enumerate(places) if basis >> k & 1): value
        for basis, value in vector.entries.items()
    }
    return Vector(entries, vector.weight)
