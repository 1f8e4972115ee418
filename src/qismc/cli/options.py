"""Options that commands share, and the limits that they set."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click

from qismc.common.arguments import MOST_THREADS
from qismc.common.choices import ENGINES, METHODS, NUMBERS, ORDERS, PATHS, STORES, method_and_numbers
from qismc.common.files import write_text
from qismc.common.watch import Watch
from qismc.errors import UsageError
from qismc.limits import Limits, out_of_memory

Command = Callable[..., None]
Decorator = Callable[[Command], Command]


def taking(*options: Decorator) -> Decorator:
    """A command with some options, in their order."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def one_of(name: str, words: Sequence[str], help: str, *names: str) -> Decorator:
    """An option that takes one of some words; the first of them is its default."""
    choice = click.Choice(words)
    return click.option(name, *names, type=choice, default=words[0], show_default=True, help=help)


def written(name: str, help: str) -> Decorator:
    """An option that names a file to write."""
    return click.option(name, type=click.Path(dir_okay=False), metavar="FILE", help=help)


def pairs(_: click.Context, option: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """NAME=TEXT options as a dictionary."""
    found: dict[str, str] = {}
    for value in values:
        name, equals, text = value.partition("=")
        if not equals or not name.strip() or not text.strip():
            raise click.BadParameter(f"'{value}' is not of the form NAME=TEXT", param=option)
        found[name.strip()] = text.strip()
    return found


JSON = click.option("--json", "as_json", is_flag=True, help="print one JSON object")
REPORT = written("--html", "write the interactive report")
QUIET = click.option("--quiet", is_flag=True, help="print nothing; the exit status tells")
INIT = click.option("--init", metavar="SUBSPACE", help="the start, instead of all zero")
PROPS = click.option(
    "--prop", "props", multiple=True, callback=pairs, metavar="NAME=SUBSPACE", help="a proposition"
)
INCLUDE = click.option(
    "--include-path",
    "include",
    multiple=True,
    type=click.Path(exists=True, file_okay=False),
    metavar="FOLDER",
    help="OpenQASM may include files below it, besides those below its own folder",
)
LIMITS = taking(
    click.option("--timeout", type=float, metavar="S", help="seconds, then the verdict is unknown"),
    click.option("--memory", type=float, metavar="MB", help="megabytes, then the verdict is unknown"),
)
METHOD = taking(
    one_of(
        "--method",
        METHODS,
        "the graph of locations, levels that carry all classical values at once, or stabiliser groups",
    ),
    one_of("--numbers", NUMBERS, "exact wherever that is possible, or one of them always"),
    click.option("--engine", type=click.Choice(ENGINES), hidden=True),
    click.option("--store", type=click.Choice(STORES), hidden=True),
)
"""How formulas are decided, and with which numbers; the last two are old names."""
MODEL = taking(
    INCLUDE,
    PROPS,
    INIT,
    click.option(
        "--annotate",
        "annotations",
        multiple=True,
        callback=pairs,
        metavar="WHERE=SUBSPACE",
        help="join sp and bound wp at a mark, leaf, loop, init or location",
    ),
    METHOD,
    one_of("--paths", PATHS, "leave out impossible outcomes, or keep every branch"),
    click.option(
        "--as-written", is_flag=True, help="numbers near nicer ones, such as 1.5707963268, are what they say"
    ),
    click.option("--keep-dead", is_flag=True, help="keep locations apart that differ in unread bits only"),
    one_of("--order", ORDERS, "how the exact engine orders qubits"),
    click.option(
        "--threads",
        type=click.IntRange(1, MOST_THREADS),
        default=1,
        show_default=True,
        metavar="N",
        help="how many threads compute; no verdict depends on it",
    ),
    click.option(
        "--seed",
        type=int,
        metavar="N",
        help="of random choices; default: a hash of program and specification",
    ),
    LIMITS,
)
"""The options of `qismc.Model`."""
PROGRAM = taking(click.argument("program"), MODEL)
"""One program and the options of `qismc.Model`."""


def outdated(old: str, new: str) -> None:
    """Say on the standard error that an option has a new name."""
    click.echo(f"warning: {old} is now {new}; the old name goes with 1.0", err=True)


def named(options: dict[str, Any]) -> dict[str, Any]:
    """Command-line options as keyword arguments of Python, by their names of today."""
    old = {name: value for name in ("engine", "store") if (value := options.pop(name)) is not None}
    if not old:
        return options
    new = method_and_numbers(old.get("engine", "auto"), old.get("store", "auto"))
    for name in new:
        if options[name] != "auto":
            raise UsageError(f"--{name} is given, and its old name", hint="leave the old one out")
    names = " ".join(f"--{name} {value}" for name, value in new.items()) or "the default"
    outdated(" ".join(f"--{name} {value}" for name, value in old.items()), names)
    return {**options, **new}


def limits_of(options: dict[str, Any]) -> Limits:
    """The time in seconds and the memory in megabytes that options give to a command."""
    return Limits(seconds=options["timeout"], memory_mb=options["memory"])


@contextmanager
def writing(file: str | None, page: Callable[[], str]) -> Iterator[None]:
    """Write a page, and then do what is inside of the block, also where the page cannot be written."""
    try:
        if file is not None:
            write_text(file, page())
    finally:
        yield


@contextmanager
def watched(limits: Limits) -> Iterator[Watch]:
    """Limits enforced on everything that is done meanwhile."""
    with Watch(limits) as watch:
        try:
            yield watch
        except MemoryError:
            raise out_of_memory(limits, watch.doing) from None
