"""Write the outputs that commands print today into the console blocks of pages.

    python -m tests.docs.renew README.md docs/*.md

A gap `[...]` stays where it is as long as the lines around it are still printed.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from .pages import FENCE, GAP, Fence, Session, agrees, commands, fences, steady

ROOT = Path(__file__).parents[2]


def renewed(shown: str, actual: str) -> str:
    """The actual output, with the gaps of the shown one; an output that still agrees stays as it is."""
    if agrees(shown, actual):
        return shown
    lines = [line.rstrip() for line in actual.rstrip("\n").split("\n")]
    if GAP in shown.split("\n"):
        lines = list(_with_gaps(shown.rstrip("\n").split("\n"), lines))
    return "".join(f"{line}\n" for line in lines) if any(lines) else ""


def _with_gaps(shown: list[str], actual: list[str]) -> Iterator[str]:
    parts = "\n".join(shown).split(f"\n{GAP}\n")
    plain = [steady(line)[0] for line in actual]
    start = 0
    for number, part in enumerate(parts):
        edges = steady(part)
        first = plain.index(edges[0], start) if number else 0
        last = plain.index(edges[-1], first) if number < len(parts) - 1 else len(actual) - 1
        yield from [GAP, *actual[first : last + 1]] if number else actual[first : last + 1]
        start = last + 1


def renew(page: Path, session: Session) -> str:
    """The text of a page with all console blocks renewed."""
    text = page.read_text(encoding="utf-8")
    blocks = iter([_block(fence, session) for fence in fences(text)])
    return FENCE.sub(lambda match: f"```{match['info']}\n{next(blocks)}```", text)


def _block(fence: Fence, session: Session) -> str:
    if fence.language != "console":
        session.play(fence)
        return fence.text
    found = [(command, session.output(command.line)) for command in commands(fence.text)]
    return "".join(f"$ {command.line}\n{renewed(command.output, actual)}" for command, actual in found)


def main(names: list[str]) -> None:
    """Renew pages in place, working in a folder with a copy of the examples."""
    pages = [Path(name).resolve() for name in names]
    os.environ["COLUMNS"] = "100"
    for page in pages:
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(ROOT / "examples", Path(folder) / "examples")
            os.chdir(folder)
            sys.path.insert(0, folder)
            page.write_text(renew(page, Session(Path(folder), str(page), {})), encoding="utf-8")
            os.chdir(ROOT)


if __name__ == "__main__":
    main(sys.argv[1:])
