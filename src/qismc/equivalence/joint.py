"""Both sides of a comparison on the same qubits, and as one program whose first step chooses between them.

One engine then computes with the states of both. At the end the results of both are on the same qubits, and
all others are reset: its two Kraus operators trace a qubit out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from qismc.common.lazily import cached_property
from qismc.equivalence.sides import Side
from qismc.program import Apply, Assign, Const, Leaf, Piece, Program, Reset, beside_idle, rewritten, single
from qismc.propositions import Qubits
from qismc.system import crossings
from qismc.whatif import side_by_side

REGISTER = "helper"
SWAP = single("swap", 2)


@dataclass(frozen=True)
class Pair:
    """Two sides with the same qubits of the input, and as many qubits."""

    own: Side
    other: Side

    @classmethod
    def of(cls, own: Side, other: Side) -> Pair:
        """The sides with idle qubits beside them; the other one's are renumbered."""
        count = max(own.program.num_qubits, other.program.num_qubits)
        places = dict(zip(other.inputs, own.inputs, strict=True))
        free = [q for q in range(count) if q not in own.inputs]
        rest = [q for q in range(other.program.num_qubits) if q not in places]
        places |= dict(zip(rest, free, strict=False))
        moved = _placed(other.program, places, count)
        outputs = tuple(places[q] for q in other.outputs)
        return cls(
            Side(_widened(own.program, count), own.inputs, own.outputs), Side(moved, own.inputs, outputs)
        )

    @property
    def sides(self) -> tuple[Side, Side]:
        return self.own, self.other

    @cached_property
    def program(self) -> Program:
        """One of the two, by a choice of the environment in the last bit of the store: 0 is the own one."""
        results = self.own.outputs
        left = _ending(self.own.program, list(_moves(self.own.outputs, results)), results)
        right = _ending(self.other.program, list(_moves(self.other.outputs, results)), results)
        return replace(side_by_side(left, _starting(right, left.initial_store)), warnings=())

    def choice(self, store: int) -> int:
        """Which of the two ends with a store: 0 for the own one."""
        return store >> (self.program.store_width - 1) & 1


# --- the same qubits ----------------------------------------------------------------------------------------


def _widened(program: Program, count: int) -> Program:
    """The program beside idle qubits."""
    missing = count - program.num_qubits
    return beside_idle(program, REGISTER, missing) if missing else program


def _placed(program: Program, places: Mapping[int, int], count: int) -> Program:
    """The program with qubit q called places[q], among `count` qubits."""
    wide = _widened(program, count)
    unused = iter(sorted(set(range(count)) - set(places.values())))
    everywhere = {q: places[q] if q in places else next(unused) for q in range(count)}
    names = {everywhere[q]: name for q, name in enumerate(wide.qubits)}
    return replace(
        wide,
        qubits=tuple(names[q] for q in range(count)),
        quantum_registers={n: tuple(everywhere[q] for q in qs) for n, qs in wide.quantum_registers.items()},
        code=tuple(statement.moved(everywhere) for statement in wide.code),
        ancillas=frozenset(everywhere[q] for q in wide.ancillas),
        virtual=None,
    )


# --- the same ends ------------------------------------------------------------------------------------------


def _moves(now: Qubits, wanted: Qubits) -> Iterator[tuple[int, int]]:
    """Swaps after which what was on now[k] is on wanted[k], for all k."""
    places = list(now)
    for k, goal in enumerate(wanted):
        here = places[k]
        if here != goal:
            yield here, goal
            places = [{here: goal, goal: here}.get(q, q) for q in places]


def _ending(program: Program, moves: list[tuple[int, int]], results: Qubits) -> Program:
    """The program that, before its end, brings its results to their places and resets all other qubits."""
    ahead = [Piece(Apply(SWAP, pair)) for pair in moves]
    ahead += [Piece(Reset(q)) for q in range(program.num_qubits) if q not in results]
    leaves = [point for point in crossings(program) if isinstance(program.code[point], Leaf)]
    return rewritten(program, {point: [*ahead, Piece(Leaf())] for point in leaves})


def _starting(program: Program, store: int) -> Program:
    """The program that starts with another store and first writes its own."""
    if program.initial_store == store:
        return program
    width = max(program.initial_store.bit_length(), store.bit_length())
    written = Assign(tuple(range(width)), Const(program.initial_store))
    first = Piece(program.code[0], program.sources[0], program.texts[0])
    return rewritten(program, {0: [Piece(written), first]}, {0: 1})
