"""The exit statuses, and how errors become messages on stderr."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any

import click

from qismc.cli.terminal import outputs
from qismc.common.process import rare_collection
from qismc.common.watch import disarm
from qismc.errors import QismcError, Undecided

HOLDS, VIOLATED, WRONG_INPUT, UNKNOWN, INTERNAL, INTERRUPTED = 0, 1, 2, 3, 70, 130
GRAVEST_FIRST = (INTERNAL, INTERRUPTED, WRONG_INPUT, VIOLATED, UNKNOWN, HOLDS)
REPORT_IT = (
    "this is a bug of qismc: please report it with the program and the command; --debug shows a traceback"
)


def together(statuses: Iterable[int]) -> int:
    """The exit status of several programs: the gravest one."""
    found = set(statuses)
    return next((status for status in GRAVEST_FIRST if status in found), HOLDS)


def located(error: QismcError) -> str:
    """`file:line:column: error: what (what to do)`."""
    where = f"{error.source}: " if error.source is not None else ""
    hint = f" ({error.hint})" if error.hint else ""
    return f"{where}error: {error.message}{hint}"


def internal(error: BaseException, *, debug: bool) -> str:
    """What is said about an error that should not exist."""
    text = f"internal error: {type(error).__name__}: {str(error)[:400]} ({REPORT_IT})"
    return "".join(traceback.format_exception(error)) + text if debug else text


class Reported(click.Command):
    """A command that no traceback leaves; `--debug` asks for one."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """As in click; where the standard output was lost, the exit status says so."""
        stdout = None
        try:
            with outputs() as stdout:
                return super().main(*args, **kwargs)
        finally:
            disarm()  # also where Ctrl-C kept a watch from ending
            if stdout is not None and stdout.failure is not None and not stdout.nobody_reads:
                sys.exit(WRONG_INPUT)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with rare_collection():  # also while modules are loaded
                return super().invoke(ctx)
        except QismcError as error:
            said, status = located(error), WRONG_INPUT
        except Undecided as doubt:
            said, status = f"unknown: {doubt}", UNKNOWN
        except MemoryError:
            said, status = "unknown: limit: the system gives no more memory", UNKNOWN
        except KeyboardInterrupt:
            said, status = "interrupted", INTERRUPTED
        except (click.ClickException, click.Abort, click.exceptions.Exit):
            raise
        except OSError as error:
            said, status = f"error: the system refuses: {error}", WRONG_INPUT
        except Exception as error:
            said, status = internal(error, debug=bool(ctx.params.get("debug"))), INTERNAL
        click.echo(said, err=True)
        return ctx.exit(status)


class Commands(Reported, click.Group):
    """The commands of `qismc`. Rare ones are loaded when they are asked for."""

    elsewhere: Mapping[str, str] = {"campaign": "qismc.cli.campaign"}
    """Commands by name, with the modules that have them under the same name."""
    moved: Mapping[str, str] = {"bench": "run 'python -m benchmarks' in a clone of the sources"}
    """Commands of earlier releases, with what to do instead."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *self.elsewhere})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in self.moved:
            raise click.UsageError(f"'{cmd_name}' is no command any more: {self.moved[cmd_name]}", ctx)
        if cmd_name in self.elsewhere and cmd_name not in self.commands:
            self.add_command(getattr(import_module(self.elsewhere[cmd_name]), cmd_name))
        return super().get_command(ctx, cmd_name)
