"""The terminal: streams that may fail while the work is done all the same, and a line of progress."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any, TextIO

from rich.console import Console
from rich.live import Live
from rich.progress import Progress
from rich.text import Text

from qismc.common.watch import Watch
from qismc.common.wording import counted

NARROWEST, PAGE = 20, 80


class Output:
    """A stream that remembers its failure; what it cannot take goes to another one, if there is one."""

    def __init__(self, stream: TextIO, instead: Output | None = None) -> None:
        self._stream = stream
        self._instead = instead
        self._held: list[str] = []
        """Written and not yet flushed."""
        self.failure: OSError | None = None

    def write(self, text: str) -> int:
        self._held.append(text)
        self._try(lambda: self._stream.write(text))
        return len(text)

    def flush(self) -> None:
        self._try(self._stream.flush)
        if self.failure is None:
            self._held = []

    def _try(self, action: Callable[[], object]) -> None:
        if self.failure is None:
            try:
                action()
            except OSError as error:
                self._give_up(error)
        if self.failure is not None:
            held, self._held = self._held, []
            if self._instead is not None and not self.nobody_reads:
                self._instead.write("".join(held))

    @property
    def nobody_reads(self) -> bool:
        """The reader of a pipe may leave when it has seen enough, which is no mistake."""
        return self.failure is not None and self.failure.errno == errno.EPIPE

    def _give_up(self, error: OSError) -> None:
        """What the stream still holds must not fail again at the end of the process."""
        self.failure = error
        with contextlib.suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._stream.fileno())
            os.close(nowhere)
        if self._instead is not None and not self.nobody_reads:
            self._instead.write(f"error: the standard output cannot be written: {error.strerror}\n")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextlib.contextmanager
def outputs() -> Iterator[Output | None]:
    """Both streams guarded; gives the standard output, or None if it is closed."""
    before = sys.stdout, sys.stderr
    for stream in before:
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a verdict matters more than a symbol
    stderr = None if sys.stderr is None else Output(sys.stderr)
    stdout = None if sys.stdout is None else Output(sys.stdout, stderr)
    sys.stdout, sys.stderr = stdout, stderr
    try:
        yield stdout
    finally:
        for guarded in (stdout, stderr):
            if guarded is not None:
                guarded.flush()
        sys.stdout, sys.stderr = before


def standard_console() -> Console:
    """The terminal, or a page where it has no width."""
    found = Console(highlight=False)
    return found if found.width >= NARROWEST else Console(highlight=False, width=PAGE)


AFTER_SECONDS = 1.0
"""Shorter work has no line; it is refreshed twice in this time."""


def describe(watch: Watch) -> str:
    """`strongest post-conditions: 120 locations, dimension 4, 900 nodes, 12 s`."""
    parts = []
    if watch.budget is not None and watch.budget.locations:
        parts.append(counted(watch.budget.locations, "location"))
    if watch.budget is not None and watch.budget.dimension:
        parts.append(f"dimension {watch.budget.dimension}")
    if watch.nodes:
        parts.append(counted(watch.nodes, "node"))
    return f"{watch.doing}: {', '.join([*parts, f'{watch.elapsed:.0f} s'])}"


class Line:
    """Says what goes on, called by a watch; it is gone when the work is done."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._live: Live | None = None
        self._said = 0.0

    def __call__(self, watch: Watch) -> None:
        if watch.elapsed < max(AFTER_SECONDS, self._said + AFTER_SECONDS / 2):
            return
        self._said = watch.elapsed
        if self._live is None:
            self._live = Live(console=self._console, transient=True, auto_refresh=False)
            self._live.start()
        self._live.update(Text(describe(watch), style="dim", no_wrap=True), refresh=True)

    def close(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None


@contextlib.contextmanager
def progress_bar(what: str, total: int, *, quiet: bool = False) -> Iterator[Callable[[], None]]:
    """A bar for pieces of work, where the standard error is a terminal; to be called after each piece."""
    console = Console(stderr=True)
    console.quiet = quiet or not console.is_terminal
    with Progress(console=console, transient=True, disable=console.quiet) as progress:
        task = progress.add_task(what, total=total)
        yield lambda: progress.advance(task)
