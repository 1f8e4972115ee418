"""What the line on the terminal says."""

from __future__ import annotations

import io

from rich.console import Console

from qismc.cli.progress import Line, describe
from qismc.common.watch import Watch
from qismc.limits import Budget, Limits


def test_the_stage_and_the_numbers() -> None:
    watch = Watch()
    assert describe(watch) == "reading: 0 s"
    watch.budget = Budget(Limits())
    watch.budget.spend("searching")
    watch.budget.count_locations(1)
    watch.budget.count_dimension(4)
    watch.count_nodes = lambda: 12
    assert describe(watch) == "searching: 1 location, dimension 4, 12 nodes, 0 s"


def test_it_is_gone_when_the_work_is_done() -> None:
    stream = io.StringIO()
    line = Line(Console(file=stream, force_terminal=True, width=60))
    watch = Watch()
    line(watch)
    assert stream.getvalue() == "", "quick work is not worth a line"
    watch._start -= 5
    line(watch)
    assert "reading: 5 s" in stream.getvalue()
    line.close()
    assert stream.getvalue().rstrip().endswith(("\x1b[2K", "\x1b[?25h"))
