"""The code of a Markdown page, executed: Python blocks run, console blocks are compared with what they
print.

A second word after the language names a file that the block is saved to. In a console block `$ qismc ...`
is run, `$ python FILE` runs a script in this process, `$ echo $?` shows the exit status of the command
before it, and a line `[...]` stands for any lines.
"""

from __future__ import annotations

import re
import runpy
import shlex
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from click.testing import CliRunner

from qismc.cli import main

FENCE = re.compile(r"^```(?P<info>[^\n`]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)(?P<target>[^)#]*)(?:#(?P<anchor>[^)]+))?\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
GAP = "[...]"
BOUND = r"\s+\(\d+\s+random\s+primes?,\s+error\s+<\s+\S+\),"
CHANGING = (
    (BOUND, ","),
    (r"\s+\d+\.\d+ s\b", " # s"),
    (r"\b\d+ per second", "# per second"),
    (r"\bcircuit-\d+", "circuit-#"),
    (r"[ \t]+$", ""),
    (r"─+", "─"),
)
"""Error bounds, times, the numbers of unnamed circuits, blanks at the ends of lines, the lengths of rules."""


class Fence(NamedTuple):
    """A code block: its language, the file that it is saved to, its text and first line."""

    language: str
    file: str | None
    text: str
    line: int


class Command(NamedTuple):
    """A line of a console block and the output that the page shows for it."""

    line: str
    output: str


def fences(page: str) -> Iterator[Fence]:
    """The code blocks of a page, in order."""
    for match in FENCE.finditer(page):
        language, _, file = match["info"].strip().partition(" ")
        yield Fence(language, file or None, match["text"], page.count("\n", 0, match.start("text")) + 1)


def commands(console: str) -> Iterator[Command]:
    """The commands of a console block with their outputs."""
    for part in re.split(r"^\$ ", console, flags=re.MULTILINE)[1:]:
        line, _, output = part.partition("\n")
        yield Command(line, output)


def links(page: str) -> Iterator[tuple[str, str | None]]:
    """The files that a page links to (an empty name means the page itself), and the headings in them."""
    for match in LINK.finditer(FENCE.sub("", page)):
        yield match["target"], match["anchor"]


def anchors(page: str) -> set[str]:
    """The names of a page's headings in links, as code hosts make them."""
    titles = HEADING.findall(FENCE.sub("", page))
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def agrees(shown: str, actual: str) -> bool:
    """Is the output the one that the page shows, up to what changes from run to run?"""
    lines = [r"(?:.*\n)*?" if x == GAP else re.escape(x) + "\n" for x in steady(shown)]
    return re.fullmatch("".join(lines), "\n".join([*steady(actual), ""])) is not None


def steady(output: str) -> list[str]:
    """The lines of an output without what changes from run to run."""
    for pattern, replacement in CHANGING:
        output = re.sub(pattern, replacement, output, flags=re.MULTILINE)
    return output.rstrip("\n").split("\n")


@dataclass
class Session:
    """The state that the blocks of one page share."""

    folder: Path
    name: str
    namespace: dict[str, Any]
    status: int = 0

    def play(self, fence: Fence) -> None:
        """Save, run or compare one block; a wrong one ends in an AssertionError or in its own error."""
        if fence.file is not None:
            (self.folder / fence.file).write_text(fence.text, encoding="utf-8")
        if fence.language == "python":
            padded = "\n" * (fence.line - 1) + fence.text
            exec(compile(padded, self.name, "exec"), self.namespace)
        elif fence.language == "console":
            for command in commands(fence.text):
                self._compare(command)

    def _compare(self, command: Command) -> None:
        actual = self.output(command.line)
        assert agrees(command.output, actual), f"{self.name}: $ {command.line}\n{actual}"

    def output(self, line: str) -> str:
        """What a command prints."""
        if line == "echo $?":
            return str(self.status)
        program, *arguments = shlex.split(line)
        if program == "python":
            return _printed(*arguments)
        assert program == "qismc", f"{self.name}: '{line}' cannot be run here"
        result = CliRunner().invoke(main, arguments)
        self.status = result.exit_code
        return result.output


def _printed(script: str) -> str:
    """What a script prints."""
    printed = StringIO()
    with redirect_stdout(printed):
        runpy.run_path(script, run_name="__main__")
    return printed.getvalue()


def run_page(page: Path, folder: Path) -> int:
    """Play all blocks of a page; how many of them were Python or console blocks."""
    session = Session(folder, str(page), {"__name__": f"page_{page.stem}"})
    blocks = list(fences(page.read_text(encoding="utf-8")))
    for fence in blocks:
        session.play(fence)
    return sum(fence.language in ("python", "console") for fence in blocks)
