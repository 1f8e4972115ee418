"""A program and its questions as scripts over levels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from qismc.language import syntax
from qismc.levels.layouts import Layouts
from qismc.levels.region import ALWAYS, ControlGraph, Guard, Region
from qismc.levels.script import NOTHING, BitReading, Choices, Factors, Probe, Script, ScriptPiece
from qismc.levels.writer import FLIP, Frame, Levels, Writer
from qismc.limits import Budget
from qismc.program import Branch, Program, Switch
from qismc.propositions import support
from qismc.questions import NoRun, Reading, Response
from qismc.symbolic import Asked, Bool, Logic, NotSymbolic, nested


@dataclass
class Monitor:
    """Does the execution so far keep promises `left U right`? Answered as functions of the levels.

    `pending`: since a promise `left` was true, and `right` was not yet; `broken`: a promise was not kept.
    Nothing classical is overwritten on levels, so what was true earlier is still a function of recorded
    outcomes. In a region without loops the points come in the order in which control passes them.
    """

    logic: Logic
    pending: Bool
    """At the start: does the execution itself promise it, or do only triggers on its way?"""
    broken: Bool = False
    _last: tuple[Bool, ...] = ()

    def visit(self, guard: Bool, trigger: Bool, left: Bool, right: Bool) -> None:
        """Control passes a point where the guard is true; all others are functions of the store there.

        A point that is a trigger promises, and may keep what it promises at once.
        """
        now = (guard, trigger, left, right)
        if len(self._last) == len(now) and all(a is b for a, b in zip(now, self._last, strict=True)):
            return
        self._last = now
        logic = self.logic
        promised = logic.disjunction(self.pending, logic.conjunction(guard, trigger))
        self.pending = logic.conjunction(promised, logic.negation(logic.conjunction(guard, right)))
        breaks = logic.conjunction(self.pending, guard, logic.negation(left))
        self.broken = logic.disjunction(self.broken, breaks)

    def failed(self, *, weak: bool = False) -> Bool:
        """If this is the end: was a promise broken, or is one still pending that is not weak?"""
        return self.broken if weak else self.logic.disjunction(self.broken, self.pending)


NO_TRIGGER = syntax.Constant(False)
MOST_FUNCTIONS = 200_000
"""Each part is an operator or more, which every order of levels runs."""


@dataclass(frozen=True)
class Translation:
    """The scripts of a program over levels, of which the first are its qubits; `start` acts on every seed."""

    graph: ControlGraph
    levels: Levels
    scripts: Mapping[int, Script]
    start: Factors


@nested()
def translate(program: Program, asked: Asked, observed: int, budget: Budget, *, clean: bool) -> Translation:
    """Scripts for a program that starts with all qubits in |0> (`clean`), or in any state.

    `observed` are the store positions that questions read. Raises NotSymbolic.
    """
    graph, logic = ControlGraph(program), Logic()
    levels = Levels([None] * program.num_qubits)
    layouts = Layouts(program, graph, levels, logic, observed)
    frame = Frame(list(range(program.num_qubits)))
    frame.clean = set(frame.qubits) if clean else set()
    frame.bits = {k: True for k in range(program.store_width) if program.initial_store >> k & 1}
    start = layouts.exit(None, program.entry, Writer(levels, logic, frame), ())
    scripts: dict[int, Script] = {}
    pending = [program.entry]
    for station in pending:
        writer = Writer(levels, logic, layouts.found[station].frame.copy())
        region = graph.region(station)
        scripts[station] = _Passage(asked, layouts, region, writer, budget).script()
        pending += [way.target for way in scripts[station].exits if way.target not in pending]
    return Translation(graph, levels, scripts, start.factors)


def untranslated(program: Program) -> Translation:
    """No scripts at all, for those who ask nothing."""
    return Translation(ControlGraph(program), Levels([None] * program.num_qubits), {}, ())


class _Passage:
    """Walks the points of a region in order and writes its script."""

    def __init__(
        self, asked: Asked, layouts: Layouts, region: Region, writer: Writer, budget: Budget
    ) -> None:
        self._program = layouts.program
        self._asked = asked
        self._layouts = layouts
        self._region = region
        self._writer = writer
        self._budget = budget
        self._decisions: dict[tuple[int, int], Bool] = {}
        self._functions: dict[Guard, Bool] = {ALWAYS: True}
        self._runs = tuple(asked.runs)
        self._monitors = {
            number: Monitor(writer.logic, pending=isinstance(run, NoRun)) for number, run in self._runs
        }

    def script(self) -> Script:
        writer, region = self._writer, self._region
        first = writer.levels.count
        pieces: list[ScriptPiece] = []
        made: dict[int, Choices] = {}
        before: Guard | None = None
        for point in region.points:
            self._look_at_size()
            guard = region.guards[point]
            if guard != before:
                writer.clear_flags()
            before = guard
            function = self._function(guard)
            self._watch(point, function)
            probes = tuple(self._probes(point, function))
            if probes:
                pieces.append(self._piece(probes))
            chosen = writer.write(self._program.code[point], function)
            if chosen is not NOTHING:
                made[point] = chosen
            self._decide(point)
        writer.clear_flags()
        pieces.append(self._piece())
        local = writer.levels.storage(first)
        exits = []
        for target, guard in region.exits.items():
            leaving = writer.fork()
            if leaving.project(self._function(guard)):
                exits.append(self._layouts.exit(region.station, target, leaving, local))
        return Script(region.station, tuple(pieces), tuple(exits), made)

    def _look_at_size(self) -> None:
        """Functions that grow without an end would take all the time before a vector is made."""
        self._budget.spend("writing the store on levels")
        if self._writer.logic.size > MOST_FUNCTIONS:
            raise NotSymbolic(f"conditions of more than {MOST_FUNCTIONS} parts")

    def _piece(self, probes: tuple[Probe, ...] = ()) -> ScriptPiece:
        factors = tuple(self._writer.factors)
        self._writer.factors.clear()
        return ScriptPiece(factors, probes)

    # --- control -----------------------------------------------------------------------------------------

    def _function(self, guard: Guard) -> Bool:
        """Does control come here? The alternatives exclude each other, so their parity is their union."""
        if guard not in self._functions:
            logic = self._writer.logic
            self._functions[guard] = logic.parity(
                *(logic.conjunction(*(self._decisions[step] for step in chain)) for chain in sorted(guard))
            )
        return self._functions[guard]

    def _decide(self, point: int) -> None:
        """Note under which values of the store control leaves a point in which direction."""
        targets = self._layouts.graph.following[point]
        if len(targets) > 1:
            statement = self._program.code[point]
            assert isinstance(statement, Branch | Switch), "only branches have several successors"
            ways = self._writer.arithmetic.ways(statement, self._program.settle)
            for k, target in enumerate(targets):
                self._decisions[point, k] = ways[target]

    # --- questions ---------------------------------------------------------------------------------------

    def _watch(self, point: int, guard: Bool) -> None:
        """Note what happens at a point for the questions about executions as a whole."""
        for number, run in self._runs:
            trigger = run.trigger if isinstance(run, Response) else NO_TRIGGER
            parts = (trigger, run.left, run.right)
            arithmetic = self._writer.arithmetic
            self._monitors[number].visit(
                guard, *(self._asked.classical(part, point, arithmetic) for part in parts)
            )

    def _condition_of(self, number: int, point: int, writer: Writer) -> Bool:
        """The stores for which a question is asked at a point."""
        question = self._asked.questions[number]
        match question:
            case NoRun():
                failed = self._monitors[number].failed()
                return writer.logic.negation(failed) if question.satisfied else failed
            case Response():
                return self._monitors[number].failed(weak=question.weak)
        return self._asked.condition(number, point, writer.arithmetic)

    def _probes(self, point: int, guard: Bool) -> list[Probe]:
        found = []
        for number in self._asked.at(point):
            writer = self._writer.fork()
            condition = self._condition_of(number, point, writer)
            if writer.project(writer.logic.conjunction(guard, condition)):
                found.append(self._probe(number, point, writer))
        return found

    def _probe(self, number: int, point: int, writer: Writer) -> Probe:
        """A measured qubit is seen through a copy of its record: on the record itself, a superposition of
        records would pass for one of the qubit."""
        frame, proposition = writer.frame, self._asked.propositions[number]
        view = dict(enumerate(frame.qubits))
        seen = frozenset[int]() if proposition is None else support(proposition, len(frame.qubits))
        for qubit in sorted(seen & frame.records):
            view[qubit] = writer.levels.view(qubit, frame.qubits[qubit])
            writer.emit(FLIP, (view[qubit],), ((frame.qubits[qubit], 1),))
        quantum = frozenset([*frame.quantum(), *(view[qubit] for qubit in seen)])
        reads = tuple(self._reads(number, writer))
        return Probe(number, point, tuple(writer.factors), proposition, view, quantum, reads)

    def _reads(self, number: int, writer: Writer) -> Iterator[BitReading]:
        """For each position that is to be read: what keeps its stores with 0 and with 1."""
        question = self._asked.questions[number]
        if isinstance(question, Reading):
            writer.clear_flags()  # every reading sets those that it needs, and puts them back
            for position in question.positions:
                value = writer.frame.bit(position)
                sides = (writer.logic.negation(value), value)
                yield BitReading(value, (self._keeping(sides[0], writer), self._keeping(sides[1], writer)))

    def _keeping(self, function: Bool, writer: Writer) -> Factors | None:
        apart = writer.fork()
        if not apart.project(function):
            return None
        apart.clear_flags()
        return tuple(apart.factors)
