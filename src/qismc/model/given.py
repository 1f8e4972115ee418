"""What was given to a model, read: the program as it is checked, its start, its names, its annotations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from qismc.errors import SpecError, at_source
from qismc.fixpoint import check_selector
from qismc.program import Moment, Program, moment_of, with_partners
from qismc.propositions import NumberReading, Proposition, Scope, inputs_of, read_start, resolve
from qismc.questions import Names


@dataclass(frozen=True)
class Given:
    """A program with the partners of free inputs in it, and what its names mean."""

    program: Program
    init: Any
    """The start as it was given: by the caller, or else by a line of the program."""
    scope: Scope
    names: Names
    start: Proposition
    annotations: tuple[tuple[str, Proposition], ...]
    notes: tuple[str, ...]
    """What the user should know about the start."""


def read_question(
    program: Program,
    init: Any,
    props: Mapping[str, Any],
    annotations: Mapping[str | int, Any],
    *,
    recorded: Callable[[str], Proposition],
    reading: NumberReading,
) -> Given:
    """Read what was given; `recorded` computes sp of a place when a proposition first speaks of it.

    The numbers of the program were read before, those of all else are read by `reading`.
    """
    written = program.annotations
    named = {a.name: a.text for a in written if a.kind == "prop" and a.name}
    sources = {a.name: a.source for a in written if a.kind == "prop" and a.name and a.source}
    line = next((a for a in written if a.kind == "init" and init is None), None)
    given = line.text if line is not None else init
    with at_source(line.source if line is not None else None):
        program = with_partners(program, inputs_of(given, Scope(program, moment=Moment.START)))
    scope = Scope(program, {**named, **props}, recorded, sources, reading, Moment.END)
    names = Names(program, scope)
    names.check_propositions()
    with at_source(line.source if line is not None else None):
        start = read_start(given, Scope(program, scope.props, reading=reading, moment=Moment.START))
    places = tuple(_annotated(program, scope, annotations))
    return Given(program, given, scope, names, start.proposition, places, start.notes)


def _annotated(
    program: Program, scope: Scope, annotations: Mapping[str | int, Any]
) -> Iterator[tuple[str, Proposition]]:
    """The annotated places with their meanings: those in the program's text, then the caller's."""
    placed = [(a.name, a.text) for a in program.annotations if a.kind == "annotate"]
    placed += [(f"l{k}" if isinstance(k, int) else k, meaning) for k, meaning in annotations.items()]
    for where, meaning in placed:
        if where is None:
            raise SpecError("an annotation needs a place")
        check_selector(program, where)
        found = Scope(program, scope.props, reading=scope.reading, moment=moment_of(where))
        yield where, resolve(meaning, found)
