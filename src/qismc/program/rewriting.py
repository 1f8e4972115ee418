"""Programs made of other programs: other statements at some points, another end, idle qubits beside them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import NamedTuple

from qismc.common.source import Source
from qismc.program.program import Program
from qismc.program.statements import Jump, Leaf, Mark, Measure, Statement


class Piece(NamedTuple):
    """A statement with what the user sees of it; `glue` as in `Program.glue`.

    Its targets are points of the old code, or places in its own list of pieces: see `inside`.
    """

    statement: Statement
    source: Source | None = None
    text: str | None = None
    glue: bool = False


def inside(place: int) -> int:
    """The target "piece number `place` of this list", told apart from points of the old code by its sign."""
    return ~place


def original(program: Program, point: int) -> Piece:
    """What stands at a point."""
    return Piece(program.code[point], program.sources[point], program.texts[point], point in program.glue)


def rewritten(
    program: Program, pieces: Mapping[int, Sequence[Piece]], ahead: Mapping[int, int] | None = None
) -> Program:
    """The program with `pieces[p]` in the place of point p, for all p given.

    Whatever led to p leads to the first of its pieces; where there are none, to what follows. Ways back to
    the head of a loop leave out its first `ahead[p]` pieces: those stand before the loop.
    """
    pieces = {**pieces, **_named_places(program, pieces)}
    changed = sorted(pieces)
    added = list(accumulate((len(pieces[point]) - 1 for point in changed), initial=0))
    loops = ahead or {}

    def first(point: int) -> int:
        """The new number of a point: that of its first piece."""
        return point + added[bisect_left(changed, point)]

    def renumbered(statement: Statement, point: int) -> Statement:
        def new(target: int) -> int:
            if target < 0:
                return first(point) + ~target
            return first(target) + (loops.get(target, 0) if target < point else 0)

        return statement.retargeted(new) if statement.targets else statement

    code: list[Statement] = []
    sources: list[Source | None] = []
    texts: list[str | None] = []
    glue = {first(point) for point in program.glue if point not in pieces}
    done = 0
    for point in (*changed, len(program.code)):
        code += [renumbered(statement, p) for p, statement in enumerate(program.code[done:point], done)]
        sources += program.sources[done:point]
        texts += program.texts[done:point]
        for piece in pieces.get(point, ()):
            glue |= {len(code)} if piece.glue else set()
            code.append(renumbered(piece.statement, point))
            sources.append(piece.source)
            texts.append(piece.text)
        done = point + 1
    marked: dict[int, tuple[str, ...]] = {}
    for point, names in sorted(program.marked.items()):
        marked[first(point)] = (*marked.get(first(point), ()), *names)
    return replace(
        program,
        code=tuple(code),
        sources=tuple(sources),
        texts=tuple(texts),
        marked=marked,
        glue=frozenset(glue),
    )


def _named_places(program: Program, pieces: Mapping[int, Sequence[Piece]]) -> dict[int, list[Piece]]:
    """Points for marks of removed statements that must not name what follows: other paths join there."""
    gone = [point for point in program.marked if point in pieces and not pieces[point]]
    if not gone:
        return {}
    return {
        point: [Piece(Mark(program.marked[point][0]), program.sources[point])]
        for point in gone
        if point + 1 in program.joined or isinstance(program.code[point + 1], Jump)
    }


def attach_marks(program: Program) -> Program:
    """Take the marks of the text out of the code, and put their names on points.

    A mark names the location of the statement that follows it: it is no statement and no step itself. Only
    where paths that do not pass the mark lead to that statement as well (the head of a while loop, what
    follows an `if`), the mark keeps a point of its own.
    """
    marks = [(point, s.name) for point, s in enumerate(program.code) if isinstance(s, Mark)]
    gone: set[int] = set()
    names: dict[int, tuple[str, ...]] = {}
    for point, name in reversed(marks):  # what follows is known
        following = point + 1
        while following in gone and following not in program.joined:
            following += 1
        named = following not in program.joined and not isinstance(program.code[following], Jump)
        place = following if named else point
        gone |= {point} if named else set()
        names[place] = (name, *names.get(place, ()))
    absent = program.absent_marks.difference(*names.values())
    program = replace(program, marked=dict(sorted(names.items())), absent_marks=absent)
    return rewritten(program, dict.fromkeys(gone, ())) if gone else program


MEASURED = "(final measurements)"
"""The mark that stands in the place of final measurements."""


@dataclass(frozen=True)
class Final:
    """A program that ends by measuring: what stands before, and which qubit each bit tells at the end."""

    before: Program
    place: str
    """The name of the mark that stands in `before` in place of the measurements."""
    qubit_of: Mapping[int, int]


def final_measurements(program: Program) -> Final | None:
    """The longest run of measurements at the end that control passes as a whole; None if there is none."""
    run = _final_run(program)
    if not run:
        return None
    place = MEASURED
    while place in program.marks:
        place += "'"
    begin = run[0]
    named = replace(program, marked={**program.marked, begin: (*program.marked.get(begin, ()), place)})
    before = rewritten(named, {**dict.fromkeys(run, ()), begin: [Piece(Mark(place))]})
    last = {s.bit: s.qubit for s in program.code[begin:] if isinstance(s, Measure)}
    return Final(before, place, last)


def _final_run(program: Program) -> range:
    """The points of the final measurements."""
    end = len(program.code) - 1
    if not isinstance(program.code[end], Leaf) or sum(isinstance(s, Leaf) for s in program.code) > 1:
        return range(0)
    begin = end
    while begin > 0 and isinstance(program.code[begin - 1], Measure) and begin not in program.joined:
        begin -= 1
    return range(0) if any(point in program.marked for point in range(begin + 1, end)) else range(begin, end)


def reading_only(program: Program, observed: int) -> Program | None:
    """The program without those measurements at its end whose bits are not in `observed`; None if all are.

    All of them are diagonal in the same basis, so they commute, and a measurement after everything else whose
    outcome nobody looks at changes no probability of the others.
    """
    run = _final_run(program)
    last = {s.bit: point for point in run if isinstance(s := program.code[point], Measure)}
    kept = {point for bit, point in last.items() if observed >> bit & 1}
    dropped = [point for point in run if point not in kept]
    return rewritten(program, dict.fromkeys(dropped, ())) if dropped else None


def measured_at_the_end(program: Program) -> frozenset[int]:
    """The qubits of all final measurements, also of those whose bits are overwritten."""
    return frozenset(s.qubit for p in _final_run(program) if isinstance(s := program.code[p], Measure))


def ending_at(program: Program, mark: str) -> Program | None:
    """The program that goes to its end once the mark was visited; None if the mark stands nowhere else.

    Up to there executions are the same, states and probabilities included. The mark keeps a place of its own:
    other ways to the end do not visit it.
    """
    end = next((point for point, s in enumerate(program.code) if isinstance(s, Leaf)), None)
    points = [point for point, names in program.marked.items() if mark in names and point != end]
    if end is None or not points:
        return None
    return rewritten(program, {p: [Piece(Mark(mark), program.sources[p]), Piece(Jump(end))] for p in points})


PARTNERS = "ref"
"""What the register of partners is called."""


def with_partners(program: Program, inputs: tuple[int, ...]) -> Program:
    """The same program beside a register of idle qubits, the partners, which comes last: one for each input.

    The vector |00> + |11> of a qubit and its partner stands for all states of the qubit at once: projecting
    the partner on the conjugate of a state leaves that state. Nothing ever acts on partners. So every
    execution from a state is such a projection of an execution of the pairs, and what the program does to
    all states, with their relative phases, is what it does to one vector.
    """
    return replace(beside_idle(program, PARTNERS, len(inputs)), inputs=inputs) if inputs else program


def beside_idle(program: Program, name: str, count: int) -> Program:
    """The program beside idle qubits, in a register of that name or of a variant that no register has."""
    virtual = program.virtual.first if program.virtual else ()
    while name in (*program.quantum_registers, *program.variables, *virtual):
        name += "_"
    first = program.num_qubits
    return replace(
        program,
        qubits=(*program.qubits, *(f"{name}[{k}]" for k in range(count))),
        quantum_registers={**program.quantum_registers, name: tuple(range(first, first + count))},
    )
