"""Seeded edits of correct programs, each checked.

The same seed gives the same rows on any number of workers.
"""

from __future__ import annotations

import importlib
import json
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from qismc.campaigns.mutant import LIMITS, Key, Mutant, MutantResult, lost, measure, read_row
from qismc.common import arguments
from qismc.common.files import read_regular, reason_of, unwritable, write_text
from qismc.common.watch import Watch
from qismc.deciders import check
from qismc.edits import KINDS, check_kinds, drawn, without_final_measurements
from qismc.errors import LimitReached, QismcError, UsageError
from qismc.language import Specification, read_specification
from qismc.limits import Limits
from qismc.model import Model
from qismc.parallel import Inline, Lent, Runner, processes
from qismc.program import Program, files_of, is_circuit, read_program
from qismc.propositions import seed_of

COUNT = 100
"""Mutants of a program."""
CONNECT_SECONDS = 10.0
"""How long a Dask scheduler may take to answer."""
MOST_JOBS = 1_000
PRELOAD = ("qismc.campaigns.mutant",)
Pool = Callable[[], Executor]


@dataclass(frozen=True)
class Unsuitable:
    """A program that mutants cannot be made of, because it violates its own specification, say."""

    name: str
    reason: str


def campaign(
    programs: Any,
    spec: Specification = None,
    *,
    kinds: Sequence[str] = tuple(KINDS),
    limits: Limits = LIMITS,
    count: int = COUNT,
    seed: int | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
    out: str | PathLike[str] | None = None,
    **options: Any,
) -> Iterator[MutantResult]:
    """Check `count` mutants of each program, each within the limits; `options` are those of a model."""
    arguments.whole("jobs", jobs, 1, MOST_JOBS)
    arguments.path("out", out)
    if executor is not None and not isinstance(executor, Executor):
        raise UsageError(f"executor is {arguments.shown(executor)}, no concurrent.futures.Executor")
    suitable = []
    for name, program in named(programs):
        found = mutants(name, program, spec, kinds=kinds, limits=limits, count=count, seed=seed, **options)
        if isinstance(found, Unsuitable):
            raise UsageError(f"{found.name}: {found.reason}")
        suitable += found
    return rows(suitable, pool(jobs, executor), out)


def pool(jobs: int, executor: Executor | None = None) -> Pool:
    """Where mutants are checked."""
    if executor is not None:
        return lambda: lent(executor)
    return Inline if jobs == 1 else processes(jobs, PRELOAD)


def lent(executor: Executor) -> Lent:
    """An executor that is not ours. Dask's futures stay open when the scheduler ends: its client knows."""
    client = getattr(executor, "_client", None)

    def gone() -> str | None:
        if getattr(client, "status", "running") in ("running", "connecting", "newly-created"):
            return None
        return "the Dask scheduler has gone away"

    return Lent(executor, gone)


@contextmanager
def dask_pool(address: str) -> Iterator[Callable[[], Executor]]:
    """Executors of a Dask cluster; it moves the work of a lost worker to another one by itself."""
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError:
        raise UsageError("--dask needs dask.distributed", hint="pip install 'qismc[dask]'") from None
    try:
        client = distributed.Client(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError, TimeoutError) as error:
        raise UsageError(f"no Dask scheduler answers at '{address}': {error}") from None
    try:
        yield lambda: lent(client.get_executor(pure=False))
    finally:
        client.close()


def named(programs: Any) -> Iterator[tuple[str, Any]]:
    """Programs with their names: one of them, or a list; folders stand for the OpenQASM files below them."""
    single = isinstance(programs, str | Path | Program) or is_circuit(programs) or callable(programs)
    if not single and (not isinstance(programs, Iterable) or isinstance(programs, bytes)):
        raise UsageError(f"programs is {arguments.shown(programs)}; it must be a program or a list of them")
    for thing in [programs] if single else programs:
        if isinstance(thing, str | Path):
            yield from ((file, file) for file in files_of(str(thing)))
        else:
            program = read_program(thing)
            yield program.name, program


def mutants(
    name: str,
    thing: Any,
    spec: Specification = None,
    *,
    kinds: Sequence[str] = tuple(KINDS),
    limits: Limits = LIMITS,
    count: int = COUNT,
    seed: int | None = None,
    include: Sequence[str | PathLike[str]] = (),
    **options: Any,
) -> list[Mutant] | Unsuitable:
    """The mutants of a program that satisfies its specification, drawn from the seed (0 if there is none)."""
    kinds = check_kinds(kinds)
    arguments.whole("count", count, 1)
    seed = arguments.seed("seed", seed)
    if limits.seconds is None:
        raise UsageError("timeout is None", hint="mutants need a limit: some never end")
    options["seed"] = seed
    try:
        with Watch(limits, guest=True):
            program = read_program(thing, include=arguments.folders("include", include))
            formulas = _formulas(spec, program)
            if formulas is None:
                program = without_final_measurements(program)
            else:
                result = check(program, formulas, limits=limits, **options)
                if not result:
                    reason = f" ({result.reason})" if result.reason else ""
                    return Unsuitable(name, f"the program itself is {result.verdict.value}{reason}")
    except (QismcError, LimitReached) as error:
        return Unsuitable(name, str(error))
    _check_travels(options)
    asked = _digest(program, formulas, options, limits)
    return [
        Mutant(name, program, edit, formulas, options, limits, asked)
        for edit in drawn(program, count, seed or 0, kinds)
    ]


def _formulas(spec: Specification, program: Program) -> Mapping[str, str] | None:
    """The given formulas, else the program's own, else None: what it ends in is recorded."""
    if spec is None and not any(a.kind == "spec" for a in program.annotations):
        return None
    return {wanted.name: wanted.text for wanted in read_specification(spec, program)}


def _digest(
    program: Program, formulas: Mapping[str, str] | None, options: Mapping[str, Any], limits: Limits
) -> str:
    """Of everything that the outcome of a mutant depends on, but the edit."""
    given = Model.of(program, **{**options, "seed": None}).seed  # a hash of the program and of all subspaces
    plain = sorted((k, v) for k, v in options.items() if isinstance(v, str | int | bool) and k != "seed")
    return f"{seed_of(str(given), repr(formulas), repr(plain), repr(limits)):x}"


def _check_travels(options: Mapping[str, Any]) -> None:
    try:
        pickle.dumps(options)
    except Exception:
        raise UsageError(
            "the options of a campaign must be plain data",
            hint="give propositions as texts, Statevectors or circuits, not as computed subspaces",
        ) from None


def rows(
    mutants: Sequence[Mutant], pool: Pool, out: str | PathLike[str] | None = None
) -> Iterator[MutantResult]:
    """The rows of mutants, in order. With a file, rows that it holds already are not computed again."""
    known = _known(Path(out)) if out is not None else {}
    todo = [mutant for mutant in mutants if mutant.key not in known]
    fresh = Runner(measure, lost, pool).run(todo)
    try:
        for mutant in mutants:
            row = known.get(mutant.key)
            if row is None:
                row = next(fresh)
                if out is not None:
                    _append(Path(out), row)
            yield row
    finally:
        fresh.close()  # type: ignore[attr-defined]


def _known(path: Path) -> dict[Key, MutantResult]:
    """The rows of an earlier run; a last line that was not finished is cut off."""
    try:
        text = read_regular(path).decode("utf-8")
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise UsageError(f"'{path}' cannot be read: {reason_of(error)}") from None
    complete = text[: text.rfind("\n") + 1]
    if complete != text:
        write_text(path, complete)
    found = [read_row(line) for line in complete.splitlines() if line.strip()]
    return {row.key: row for row in found}


def _append(path: Path, row: MutantResult) -> None:
    try:
        with path.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(row.to_json()) + "\n")
    except OSError as error:
        raise unwritable(path, error) from error
