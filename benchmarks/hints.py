"""How often do hints name the line of a bug? `python -m benchmarks.hints examples`.

Every correct program of a folder is given one seeded fault after the other. Where that violates a formula,
its hints should name the line of the fault.
"""

from __future__ import annotations

import runpy
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from qismc.api.functions import check
from qismc.common.source import Source
from qismc.edits.edit import Edit, Exchange, Insert, Remove, Replace, source_of
from qismc.edits.sampling import drawn
from qismc.errors import QismcError, Undecided
from qismc.program.program import Program
from qismc.repairs.causes import suspecting
from qismc.results.result import Result
from qismc.verdict import Verdict
from qismc.whatif.question import Variants

COUNT = 20
WIDTH = 120
Line = tuple[str, int]


@dataclass(frozen=True)
class Row:
    """What hints said about the violated ones among the mutants of one program."""

    name: str
    violated: int = 0
    first: int = 0
    """How often the first hint named the line."""
    named: int = 0
    """How often some hint did."""
    lines: int = 0
    """Lines that were named, over all mutants."""
    of: int = 0
    """Lines of the program."""
    seconds: float = 0.0
    """Of the processor, for all hints."""


def questions(folder: Path) -> Iterator[tuple[str, Variants]]:
    """The correct programs of a folder, each with its formulas that hold."""
    for file in sorted(folder.rglob("*.py")):
        run = None if file.stem.startswith("test_") else runpy.run_path(str(file)).get("run")
        if run is not None:
            yield from _correct({f"{file.stem}:{name}": result for name, result in run().items()})
    for file in sorted(folder.rglob("*.qasm")):
        yield from _correct({file.name: check(str(file))})


def _correct(results: dict[str, Result]) -> Iterator[tuple[str, Variants]]:
    """The programs of which all formulas hold; where there are none, those of which most do."""
    holding = {name: _holding(result) for name, result in results.items()}
    intact = [name for name, result in results.items() if len(holding[name]) == len(result)]
    most = max(map(len, holding.values()), default=0)
    for name, result in results.items():
        program = result._question.program
        best = name in intact or (not intact and len(results) > 1 and len(holding[name]) == most)
        if best and holding[name] and program is not None and not result._question.has_faults:
            yield name, Variants.of(result._question).about(holding[name], program)


def _holding(result: Result) -> list[str]:
    return [r.name for r in result if r.verdict is Verdict.HOLDS and not r.asks]


def measured(name: str, question: Variants, edits: Iterable[Edit]) -> Row:
    """The row of one program."""
    program = question.program
    assert program is not None
    violated = first = named = lines = 0
    seconds = 0.0
    for edit in edits:
        try:
            result = suspecting(question.check(edit.apply(program)))
        except (QismcError, Undecided):
            continue
        broken = next((r for r in result if r.verdict is Verdict.VIOLATED), None)
        if broken is None:
            continue
        start = time.process_time()
        said = [_lines(hint.lines) for hint in broken.hints if hint.lines]
        seconds += time.process_time() - start
        wanted, all_of_them = faulty_lines(program, edit), set().union(*said)
        violated += 1
        first += bool(said and said[0] & wanted)
        named += bool(all_of_them & wanted)
        lines += len(all_of_them)
    of = len(_lines(source for source in program.sources if source is not None))
    return Row(name, violated, first, named, lines, of, seconds)


def _lines(sources: Iterable[Source]) -> set[Line]:
    return {(source.file, source.line) for source in sources}


def faulty_lines(program: Program, edit: Edit) -> set[Line]:
    """The lines of an edit: of what it changes, and on both sides of a gap that it leaves."""
    points: set[int] = set()
    for action in edit.actions:
        match action:
            case Insert(point) | Replace(point):
                points.add(point)
            case Remove(point) | Exchange(point):
                points |= {point, point + 1, _seen(program, point, -1), _seen(program, point, 1)}
    inside = (source_of(program, point) for point in points if 0 <= point < len(program.sources))
    return _lines(source for source in inside if source is not None)


def _seen(program: Program, point: int, step: int) -> int:
    """The next point in a direction at which text stands."""
    point += step
    while 0 <= point < len(program.sources) and program.sources[point] is None:
        point += step
    return point


def table(rows: Sequence[Row]) -> Table:
    """All rows, and their sum."""
    found = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="")
    titles = ("program", "violated", "first hint", "some hint", "share", "lines named", "lines", "s per hint")
    for title in titles:
        found.add_column(title, justify="left" if title == "program" else "right", no_wrap=True)
    for row in rows:
        found.add_row(*_cells(row))
    return found


def total(rows: Sequence[Row]) -> Row:
    """The rows together."""
    return Row(
        "all",
        sum(row.violated for row in rows),
        sum(row.first for row in rows),
        sum(row.named for row in rows),
        sum(row.lines for row in rows),
        sum(row.of for row in rows),
        sum(row.seconds for row in rows),
    )


def _cells(row: Row) -> tuple[str, ...]:
    count = max(row.violated, 1)
    share = f"{row.named / count:.0%}"
    average = f"{row.lines / count:.1f}"
    numbers = (row.violated, row.first, row.named, share, average, row.of, f"{row.seconds / count:.2f}")
    return (row.name, *map(str, numbers))


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--count", default=COUNT, show_default=True, help="faults per program")
@click.option("--seed", default=0, show_default=True, help="chooses the faults")
@click.option("--program", "only", default="", metavar="TEXT", help="only programs whose names contain it")
def main(folder: Path, count: int, seed: int, only: str) -> None:
    """How often hints name the line of a seeded fault, for each correct program of FOLDER."""
    console = Console(highlight=False, width=WIDTH)
    rows: list[Row] = []
    for name, question in questions(folder):
        if only in name and question.program is not None:
            click.echo(f"{name} …", err=True)
            rows.append(measured(name, question, drawn(question.program, count, seed)))
    console.print(table([*rows, total(rows)]))


if __name__ == "__main__":
    main()
