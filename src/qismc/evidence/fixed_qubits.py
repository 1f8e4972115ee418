"""What single qubits are: of one fixed value at a statement, or helpers that are not given back at the end.

A value b is fixed if sp(l) <= |b> on the qubit at every location l of the statement. Helpers should be in |0>
at the end, and not entangled with other qubits. Which qubits are helpers only the program's words tell: those
of an `AncillaRegister`, and of registers that are called anc, ancilla, aux, helper, scratch, work or the
like.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from qismc.engines import Block, Vector
from qismc.errors import LimitReached, NumericDoubt
from qismc.evidence.execution import Hint
from qismc.evidence.states import work_of
from qismc.fixpoint import Solved
from qismc.limits import Effort
from qismc.program import PROJECT, Apply, Leaf, Measure, Operator, Program, Reset, Statement
from qismc.system import Application, Node

QUESTIONS = 2000
LONGEST_RUN = 20_000
"""Straight runs with more points are not walked again."""
COUNTED_EVERY = 200
"""The effort is looked at after so many statements at the latest."""


def controls(operator: Operator, qubits: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """(qubit, value) for the controls that all factors share: no factor has one of them as its target."""
    if not operator.factors:
        return ()
    shared = set.intersection(*(set(factor.controls) for factor in operator.factors))
    return tuple((qubits[c], value) for c, value in sorted(shared))


def asked_qubits(statement: Statement) -> tuple[int, ...]:
    """The qubits whose fixed value would be worth a remark."""
    if isinstance(statement, Apply):
        return tuple(qubit for qubit, _ in controls(*statement))
    return statement.qubits if isinstance(statement, Measure | Reset) else ()


@dataclass
class FixedValues:
    """Asks, visit by visit, whether qubits have fixed values; stops at limits."""

    _solved: Solved
    _effort: Effort
    _left: int = field(default_factory=lambda: QUESTIONS)
    _done: int = 0
    _projectors: dict[tuple[int, int], Block] = field(default_factory=dict)
    values: dict[tuple[int, int], int | None] = field(default_factory=dict)
    """(point, qubit) -> the value at all visits, or None where both are possible."""

    def ask(self) -> str | None:
        """Ask everything; the reason if a limit came first, and then only what is complete is kept."""
        nodes = self._solved.system.nodes
        for number, node in enumerate(nodes):
            try:
                self._ask_node(node)
            except LimitReached as reason:
                unasked = [range(max(node.start, self._done), node.end)]
                unasked += [range(other.start, other.end) for other in nodes[number + 1 :]]
                self._forget(unasked)
                return reason.reason
        return None

    def _forget(self, unasked: Sequence[range]) -> None:
        """Drop the values at points that have visits which were not looked at."""
        for key in list(self.values):
            if any(key[0] in points for points in unasked):
                del self.values[key]

    def _ask_node(self, node: Node) -> None:
        self._done = node.start
        code = self._solved.system.program.code
        asked = {p: qubits for p in range(node.start, node.end) if (qubits := asked_qubits(code[p]))}
        if not asked or not self._solved.posts.dimension(node, node.start):
            return
        if node.size > LONGEST_RUN:
            raise LimitReached(f"a straight run of more than {LONGEST_RUN} statements")
        stops = sorted({*asked, *range(node.start, max(asked), COUNTED_EVERY)})
        for point, found in self._solved.posts.walk(node, stops):
            vectors = [f.vector for f in found]
            passed, self._done = point - self._done + 1, point
            self._effort.spend(work_of(self._solved.engine, passed, vectors))
            for qubit in asked.get(point, ()):
                self._note((point, qubit), vectors)

    def _note(self, key: tuple[int, int], vectors: Sequence[Vector]) -> None:
        """Combine the value at this visit with those of earlier visits."""
        if key in self.values and self.values[key] is None:
            return
        value = self._value(key[1], vectors)
        self.values[key] = value if self.values.get(key, value) == value else None

    def _value(self, qubit: int, vectors: Sequence[Vector]) -> int | None:
        """b if every vector is in |b> on the qubit."""
        possible = {0, 1}
        for vector in vectors:
            for value in sorted(possible):
                if not self._vanishes(1 - value, qubit, vector):
                    possible.discard(value)
            if not possible:
                return None
        return min(possible, default=None)

    def _vanishes(self, value: int, qubit: int, vector: Vector) -> bool:
        """Is the projection on |value> zero?"""
        self._left -= 1
        if self._left < 0:
            raise LimitReached(f"more than {QUESTIONS} questions about qubits")
        key = (value, qubit)
        if key not in self._projectors:
            self._projectors[key] = self._solved.engine.compile([Application(PROJECT[value], (qubit,))])
        try:
            return self._solved.engine.is_zero(self._solved.engine.run(self._projectors[key], vector))
        except NumericDoubt:
            return False  # no remark where rounding could decide


def fixed_values(program: Program, values: dict[tuple[int, int], int | None]) -> Iterator[tuple[int, Hint]]:
    """(point, remark) for every statement whose qubit has a fixed value."""
    for (point, qubit), value in sorted(values.items()):
        if value is not None:
            remark = _remark(program, point, qubit, value)
            if remark is not None:
                yield point, Hint(*remark, program.sources[point])


def _remark(program: Program, point: int, qubit: int, value: int) -> tuple[str, str] | None:
    statement, name = program.code[point], program.qubits[qubit]
    text = f"'{program.text(point)}'"
    if isinstance(statement, Measure):
        return "measurement", f"{text} always gives {value}"
    if isinstance(statement, Reset):
        return ("reset", f"{text}: {name} is already |0> whenever it is reached") if value == 0 else None
    assert isinstance(statement, Apply)
    wanted = {value for control, value in controls(*statement) if control == qubit}
    effect = "so it acts always" if len(statement.qubits) == 2 else "so this control has no effect"
    effect = effect if wanted == {value} else "so it never acts"
    return "control", f"{text}: its control {name} is always |{value}>, {effect}"


HELPER = re.compile(
    r"(anc|ancillas?|ancillae|aux|auxiliary|helpers?|scratch|work|workspace)(_?\d*|_.*)", re.I
)
MOST_QUESTIONS = 2_000
QUESTION = 4
"""Scalar operations of a question for each byte of a state."""


def helpers(program: Program) -> list[int]:
    """The qubits that the program calls helpers."""
    named = {
        q for name, qubits in program.quantum_registers.items() if HELPER.fullmatch(name) for q in qubits
    }
    return sorted((named | set(program.ancillas)) & set(program.own_qubits))


def unclean(solved: Solved, effort: Effort) -> Iterator[tuple[int, Hint]]:
    """(point, remark) for helpers that some execution ends with: measured ones are left as they were found.

    With angles that unknowns stand for, nothing is said: a state may be special for the angles themselves.
    """
    program = solved.system.program
    measured = {statement.qubit for statement in program.code if isinstance(statement, Measure)}
    wanted = [q for q in helpers(program) if q not in measured]
    if not wanted or solved.engine.assumed.tentative:
        return
    asked = 0
    found: dict[int, str] = {}
    end = len(program.code) - 1
    for vector in _ends(solved):
        for qubit in wanted:
            asked += 1
            effort.spend(QUESTION * solved.engine.bytes_of(vector))
            if asked > MOST_QUESTIONS:
                raise LimitReached("more questions about the end than observations are worth")
            if qubit not in found or found[qubit] != ENTANGLED:
                state = _left(solved, vector, qubit)
                if state is not None:
                    found[qubit] = state
    for qubit, state in found.items():
        yield end, Hint("unclean", f"at the end {program.qubits[qubit]} {state}", program.sources[end])


ENTANGLED = "is still entangled with other qubits, in some execution"
NOT_ZERO = "is not |0>, in some execution"


def _ends(solved: Solved) -> Iterator[Vector]:
    """The states of executions at the end."""
    code = solved.system.program.code
    for node in solved.system.nodes:
        if isinstance(code[node.last], Leaf):
            for found in solved.posts.at(node, node.last):
                yield found.vector


def _left(solved: Solved, vector: Vector, qubit: int) -> str | None:
    """What is wrong with a helper: its Schmidt vectors span more than a line, or that is not |0>."""
    engine = solved.engine
    one = engine.compile([Application(PROJECT[1], (qubit,))])
    if engine.is_zero(engine.run(one, vector)):
        return None
    span = engine.sub((qubit,)).span()
    for part in engine.slices(vector, (qubit,)):
        span.add(part)
    return ENTANGLED if span.dimension > 1 else NOT_ZERO
