"""What users ask: checks, comparisons, repairs, distributions, campaigns."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from os import PathLike, fspath
from typing import Any

from typing_extensions import Unpack

from qismc.api.objects import Model, Result
from qismc.api.options import CheckOptions, CompareOptions, ModelOptions, inside, limits_of, takes
from qismc.campaigns import COUNT, LIMITS, MutantResult
from qismc.campaigns import campaign as checking_mutants
from qismc.common import arguments
from qismc.common.defaults import completed, in_session
from qismc.common.watch import Watch
from qismc.edits import KINDS
from qismc.errors import SpecError
from qismc.language import Specification
from qismc.limits import SEARCH_SECONDS, Limits, search_seconds
from qismc.probability import Outcomes
from qismc.program import read_program
from qismc.repairs import Repairs
from qismc.repairs import check as decide
from qismc.verifier import Accepted, read_certificate, verify


def _explaining(options: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    """Options as the rooms behind name them, and whether causes are looked for."""
    how = inside(options)
    explain = how.pop("explain", True)
    arguments.flag("explain", explain)
    return how, explain


@takes(CheckOptions)
def check(program: Any, spec: Specification = None, **options: Unpack[CheckOptions]) -> Result:
    """Decide whether a program satisfies qCTL formulas (default: those of its own `//@ spec` lines).

    If there are none, the result is UNKNOWN and holds observations about the program. Past a limit verdicts
    are UNKNOWN; if the program cannot even be read within the limits, LimitReached is raised.
    """
    how, explain = _explaining(options)
    result = Result.of(decide(program, spec, **how), explain=explain)
    if in_session():
        result.warn()
    return result


@takes(CheckOptions)
def assert_holds(program: Any, spec: Specification = None, **options: Unpack[CheckOptions]) -> Result:
    """For tests: raise PropertyViolated, an AssertionError with the report, unless everything holds."""
    __tracebackhide__ = True
    result = check(program, spec, **completed(options))
    if not result.results:
        raise SpecError(f"{result.program.name} has no specification", hint="give a formula")
    result.raise_if_violated()
    return result


@takes(CompareOptions)
def equivalent(
    program: Any,
    reference: Any,
    on: Any = None,
    *,
    to: Any = None,
    bits: Any = None,
    **options: Unpack[CompareOptions],
) -> Result:
    """Does every execution of the program do to every input state what the reference does?

    `on` are the qubits of the input, the others start in |0>; the result is there as well, or on the qubits
    `to`. What becomes of all other qubits does not matter, nor does a global phase. Classical values are
    compared if the reference writes some, or `to` is empty; `bits` tells which registers of the program are
    which of the reference, where their names differ.
    """
    from qismc.equivalence import equivalent as comparing  # noqa: PLC0415 - Qiskit is slow to load

    how, explain = _explaining(options)
    return Result.of(comparing.equivalent(program, reference, on, to=to, bits=bits, **how), explain=explain)


@takes(CompareOptions)
def assert_equivalent(
    program: Any,
    reference: Any,
    on: Any = None,
    *,
    to: Any = None,
    bits: Any = None,
    **options: Unpack[CompareOptions],
) -> Result:
    """For tests: raise PropertyViolated, an AssertionError with the report, unless the two are equivalent."""
    __tracebackhide__ = True
    result = equivalent(program, reference, on, to=to, bits=bits, **completed(options))
    result.raise_if_violated()
    return result


@takes(CheckOptions, legacy=("seconds",))
def repair(
    program: Any,
    spec: Specification = None,
    *,
    limit: int = 5,
    pairs: bool = False,
    **options: Unpack[CheckOptions],
) -> Repairs:
    """Edits after which a program satisfies its specification.

    The time limit holds for the check and the search together; by default a search takes at most 30 seconds.
    Nothing is suggested for a program whose formulas hold or could not be decided.
    """
    given, start = dict(options), time.monotonic()
    search = given.pop("seconds", SEARCH_SECONDS)  # the old name: of the search alone
    result = check(program, spec, **given)  # type: ignore[arg-type]
    timeout = options.get("timeout")
    if timeout is not None:
        search = search_seconds(timeout, time.monotonic() - start)
    return result.repairs(limit, pairs=pairs, timeout=search)  # type: ignore[arg-type]


@takes(ModelOptions)
def outcomes(
    program: Any, *registers: str, at: str | int = "leaf", **options: Unpack[ModelOptions]
) -> Outcomes:
    """The distribution of registers (default: all together) when a place is visited first.

    Raises Undecided where the limits are reached.
    """
    return Model(program, **options).outcomes(*registers, at=at)


@takes(ModelOptions, old=("engine", "store", "seconds"))
def campaign(
    programs: Any,
    spec: Specification = None,
    *,
    kinds: Sequence[str] = tuple(KINDS),
    count: int = COUNT,
    jobs: int = 1,
    executor: Executor | None = None,
    out: str | PathLike[str] | None = None,
    **options: Unpack[ModelOptions],
) -> Iterator[MutantResult]:
    """Check `count` mutants of each program; the limits are those of one mutant, by default 10 seconds.

    Without a specification the program's own is taken, and without that the states that it ends in. `jobs`
    processes work, or an `executor` of your own; with one job nothing leaves this process. The seed chooses
    the mutants as well.
    """
    if "limits" not in options:
        options.setdefault("timeout", LIMITS.seconds)
    how = inside(options)
    how["limits"] = how["limits"] or Limits()
    how.update(kinds=kinds, count=count, jobs=jobs, executor=executor, out=out)
    return checking_mutants(programs, spec, **how)


def verify_certificate(
    certificate: str | PathLike[str],
    program: Any,
    *,
    timeout: float | None = None,
    memory: float | None = None,
    include: Sequence[str | PathLike[str]] = (),
) -> Accepted:
    """Check a certificate that `check(..., certificate=...)` has written, with a separate small checker.

    Raises Refused where a claim does not stand, and NotChecked where this checker does not look at one.
    """
    with Watch(limits_of(None, timeout, memory), guest=True):
        found = read_certificate(fspath(certificate))
        return verify(found, read_program(program, include=arguments.folders("include", include)))
