"""A line on the terminal that says what goes on; it is gone when the work is done."""

from __future__ import annotations

from rich.console import Console
from rich.live import Live
from rich.text import Text

from qismc.common.watch import Watch
from qismc.common.wording import counted

AFTER_SECONDS = 1.0


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
    """Shown after a second, refreshed by the watch."""

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
