"""`qismc.check` and `qismc.assert_holds`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any

from qismc.api.result import Result
from qismc.common.choices import Ctl, Order, Paths, Store
from qismc.common.defaults import completed, in_session
from qismc.errors import SpecError
from qismc.faults import Faults
from qismc.language import Specification
from qismc.limits import Limits
from qismc.repairs import checked as suspecting


def check(
    program: Any,
    spec: Specification = None,
    *,
    init: Any = None,
    props: Mapping[str, Any] | None = None,
    annotations: Mapping[str | int, Any] | None = None,
    engine: str = "auto",
    paths: Paths = "feasible",
    ctl: Ctl = "builtin",
    limits: Limits | None = None,
    seed: int | None = None,
    recheck: int = 0,
    certify: bool = False,
    certificate: str | PathLike[str] | None = None,
    keep_dead: bool = False,
    order: Order = "auto",
    store: Store = "auto",
    faults: Faults | None = None,
    threads: int = 1,
    as_written: bool = False,
    strict: bool = False,
    include: Sequence[str | PathLike[str]] = (),
) -> Result:
    """Decide whether a program satisfies qCTL formulas (default: those of its own `//@ spec` lines).

    If there are none, the result is UNKNOWN and holds observations about the program. Past a limit verdicts
    are UNKNOWN; if the program cannot even be read within the limits, LimitReached is raised.
    """
    result = Result.of(
        suspecting.check(
            program,
            spec,
            init=init,
            props=props,
            annotations=annotations,
            engine=engine,
            paths=paths,
            ctl=ctl,
            limits=limits,
            seed=seed,
            recheck=recheck,
            certify=certify,
            certificate=certificate,
            keep_dead=keep_dead,
            order=order,
            store=store,
            faults=faults,
            threads=threads,
            as_written=as_written,
            strict=strict,
            include=include,
        )
    )
    if in_session():
        result.warn()
    return result


def assert_holds(program: Any, spec: Specification = None, **options: Any) -> Result:
    """For tests: raise PropertyViolated, an AssertionError with the report, unless everything holds."""
    __tracebackhide__ = True
    result = check(program, spec, **completed(options))
    if not result.results:
        raise SpecError(f"{result.program.name} has no specification", hint="give a formula")
    result.raise_if_violated()
    return result
