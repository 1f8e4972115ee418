"""Options that commands share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from qismc.common.arguments import MOST_THREADS
from qismc.common.choices import ENGINES, METHODS, NUMBERS, ORDERS, PATHS, STORES, method_and_numbers
from qismc.common.files import write_text
from qismc.common.watch import Watch
from qismc.errors import UsageError
from qismc.limits import Limits, out_of_memory

Decorator = Callable[[Callable[..., None]], Callable[..., None]]


def pairs(_: click.Context, option: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """NAME=TEXT options as a dictionary."""
    found: dict[str, str] = {}
    for value in values:
        name, equals, text = value.partition("=")
        if not equals or not name.strip() or not text.strip():
            raise click.BadParameter(f"'{value}' is not of the form NAME=TEXT", param=option)
        found[name.strip()] = text.strip()
    return found


LIMIT_OPTIONS = (
    click.option("--timeout", type=float, metavar="S", help="seconds, then the verdict is unknown"),
    click.option("--memory", type=float, metavar="MB", help="megabytes, then the verdict is unknown"),
)
METHOD_OPTIONS = (
    click.option(
        "--method",
        type=click.Choice(METHODS),
        default="auto",
        show_default=True,
        help="the graph of locations, levels that carry all classical values at once, or stabiliser groups",
    ),
    click.option(
        "--numbers",
        type=click.Choice(NUMBERS),
        default="auto",
        show_default=True,
        help="exact wherever that is possible, or one of them always",
    ),
    click.option("--engine", type=click.Choice(ENGINES), hidden=True),
    click.option("--store", type=click.Choice(STORES), hidden=True),
)
"""The last two are old names."""
INCLUDE_OPTION = click.option(
    "--include-path",
    "include",
    multiple=True,
    type=click.Path(exists=True, file_okay=False),
    metavar="FOLDER",
    help="OpenQASM may include files below it, besides those below its own folder",
)
MODEL_OPTIONS = (
    INCLUDE_OPTION,
    click.option(
        "--prop", "props", multiple=True, callback=pairs, metavar="NAME=SUBSPACE", help="a proposition"
    ),
    click.option("--init", metavar="SUBSPACE", help="the start, instead of all zero"),
    click.option(
        "--annotate",
        "annotations",
        multiple=True,
        callback=pairs,
        metavar="WHERE=SUBSPACE",
        help="join sp and bound wp at a mark, leaf, loop, init or location",
    ),
    *METHOD_OPTIONS,
    click.option(
        "--paths",
        type=click.Choice(PATHS),
        default="feasible",
        show_default=True,
        help="leave out impossible outcomes, or keep every branch",
    ),
    click.option(
        "--as-written", is_flag=True, help="numbers near nicer ones, such as 1.5707963268, are what they say"
    ),
    click.option("--keep-dead", is_flag=True, help="keep locations apart that differ in unread bits only"),
    click.option(
        "--order",
        type=click.Choice(ORDERS),
        default="auto",
        show_default=True,
        help="how the exact engine orders qubits",
    ),
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
    *LIMIT_OPTIONS,
)


def model_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options of `qismc.Model`."""
    return _with(MODEL_OPTIONS, command)


def limit_options(command: Callable[..., None]) -> Callable[..., None]:
    """Limits of the whole command."""
    return _with(LIMIT_OPTIONS, command)


def _with(options: tuple[Decorator, ...], command: Callable[..., None]) -> Callable[..., None]:
    for option in reversed(options):
        command = option(command)
    return command


def about_a_program(command: Callable[..., None]) -> Callable[..., None]:
    """One program and the options of `qismc.Model`."""
    return click.argument("program")(model_options(command))


def method_options(command: Callable[..., None]) -> Callable[..., None]:
    """How formulas are decided, and with which numbers."""
    return _with(METHOD_OPTIONS, command)


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
    written = " ".join(f"--{name} {value}" for name, value in new.items()) or "the default"
    outdated(" ".join(f"--{name} {value}" for name, value in old.items()), written)
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
