"""Executions that were replayed on a stabiliser tableau: what is true at their end, and how they are shown.

They may have any number of qubits: Pauli strings that stabilise a state stand in the place of amplitudes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from typing_extensions import assert_never

from qismc._core import Finding, Strings, Tableau
from qismc.common.lazily import cached_property
from qismc.common.paulis import NAMES
from qismc.evidence.execution import Execution, Hint, Step
from qismc.evidence.later import LaterList
from qismc.language import Atom, Bit, Compare, Formula, is_true
from qismc.program import Initialize, Program, Reset, Store, is_reserved
from qismc.propositions import subspace_of
from qismc.questions import Names
from qismc.stabiliser import Across, Codes, Impossible, Replay, Requirement, Within
from qismc.symbolic import NotSymbolic
from qismc.system import Location, Waypoint, names_of


def classical_truth(atom: Formula, names: Names, program: Program, point: int, store: Store) -> bool | None:
    """The truth of an atom about a point and a store of a program; None for all other atoms."""
    match atom:
        case Atom(name) if name in ("leaf", "loop") or name in program.marks:
            return name in names_of(program, point)
        case Atom(name) if name in program.variables and not is_reserved(name):
            return program.variables[name].value(store) != 0
        case Bit(ref):
            return names.bits(ref).value(store) != 0
        case Compare():
            return names.comparison(atom)(store)
    return None


class Ending(NamedTuple):
    """A location with the one state there; signs of the tableau are plain numbers."""

    names: Names
    codes: Codes
    point: int
    store: Store
    tableau: Tableau

    def holds(self, formula: Formula) -> bool:
        """The truth of a formula without temporal operators; raises NotSymbolic."""
        return is_true(formula, self._atom)

    def _atom(self, atom: Formula) -> bool:
        tree = subspace_of(atom, self.names.scope)
        if tree is not None:
            return all(map(self._is_met, self.codes.requirements(self.names.meaning(tree))))
        found = classical_truth(atom, self.names, self.names.program, self.point, self.store)
        if found is None:
            raise NotSymbolic(f"{atom!r} is not asked of single locations")
        return found

    def _is_met(self, requirement: Requirement) -> bool:
        match requirement:
            case Within(generators):
                return self._is_stabilised(generators)
            case Across():
                raise NotSymbolic("complements are left to vectors")
            case Impossible():
                return False
        assert_never(requirement)

    def _is_stabilised(self, generators: Strings) -> bool:
        for k in range(len(generators)):
            letters, minus = generators[k]
            sign = self.tableau.sign(letters)
            if sign is None or bool(sign) != minus:
                return False
        return True


NOTE = "replayed on a stabiliser tableau"
MOST_LETTERS = 8
"""Longer strings are cut."""
FAILING_SHOWN = 4


def execution(program: Program, steps: Sequence[Waypoint], replay: Replay, claim: str) -> Execution:
    """The execution as reports show it."""
    made = _Steps(program, steps, replay)
    last = replay.probability(len(steps) - 1)
    chance = None if last is None else float(last)
    return Execution(
        "path", LaterList.each(len(steps), made.step), None, chance, replay.possible, claim, NOTE
    )


@dataclass
class _Steps:
    """Makes the steps of an execution."""

    _program: Program
    _steps: Sequence[Waypoint]
    _replay: Replay

    @cached_property
    def _numbers(self) -> dict[tuple[int, int], int]:
        """Locations in the order of their first visit."""
        visited = dict.fromkeys((step.point, step.store) for step in self._steps)
        return {location: number for number, location in enumerate(visited)}

    def step(self, k: int) -> Step:
        program, step, chance = self._program, self._steps[k], self._replay.probability(k)
        number = self._numbers[step.point, step.store]
        names = names_of(program, step.point)
        reset = isinstance(program.code[step.point], Reset | Initialize) and bool(step.choices)
        return Step.at(
            Location(number, step.point, step.store, program),
            ["init", *names] if number == 0 else names,
            probability=None if chance is None else float(chance),
            outcome=step.outcome,
            choice=step.choices[0] if reset else None,
            stabilisers=LaterList(lambda: list(texts(self._replay.news(k), program.qubits))),
        )


def texts(strings: Strings, qubits: Sequence[str]) -> Iterator[str]:
    """Strings by the names of their qubits: -X q[0] Z q[3]."""
    for k in range(len(strings)):
        letters, minus = strings[k]
        shown = [f"{NAMES[letter]} {qubits[qubit]}" for qubit, letter in letters[:MOST_LETTERS]]
        more = [f"... ({len(letters)} letters)"] if len(letters) > MOST_LETTERS else []
        yield ("-" if minus else "") + " ".join(shown + more)


def failing(replay: Replay, wanted: Strings, qubits: Sequence[str], step: int) -> Hint | None:
    """Which of the strings that should stabilise the states at the end do not, and what they are instead."""
    described = []
    for k, text in enumerate(texts(wanted, qubits)):
        letters, minus = wanted[k]
        sign = replay.tableau.sign(letters)
        if sign is None:
            is_open = replay.tableau.copy().measure(letters, []) is Finding.open
            described.append(f"{text} ({'left open by the start' if is_open else 'expectation 0'})")
        elif bool(sign) != minus:
            described.append(f"{text} (expectation -1)")
    if not described:
        return None
    more = len(described) - FAILING_SHOWN
    shown = described[:FAILING_SHOWN] + ([f"{more} more"] if more > 0 else [])
    told = f"{len(described)} of {len(wanted)} generators fail: {', '.join(shown)}"
    return Hint("part", told, steps=(step,))
