"""The options of public functions: their names and types, and how the rooms behind name them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import wraps
from os import PathLike
from typing import Any, ParamSpec, TypeVar

from typing_extensions import TypedDict

from qismc.common import arguments
from qismc.common.choices import (
    ENGINES,
    METHODS,
    NUMBERS,
    STORES,
    Ctl,
    Method,
    Numbers,
    Order,
    Paths,
    engine_and_store,
    method_and_numbers,
)
from qismc.common.defaults import warn
from qismc.errors import UsageError
from qismc.faults import Faults
from qismc.limits import Limits

P = ParamSpec("P")
T = TypeVar("T")


class HowOptions(TypedDict, total=False):
    """How an answer is computed."""

    method: Method
    """`"auto"`, or always the `"graph"` of locations, `"levels"` or `"stabiliser"` groups."""
    numbers: Numbers
    """`"auto"` (exact where that is possible), or always `"exact"` or `"float"`."""
    timeout: float | None
    """Seconds; after them the verdict is UNKNOWN."""
    memory: float | None
    """Megabytes of this process; beyond them the verdict is UNKNOWN."""
    limits: Limits | None
    """Further limits."""
    threads: int
    """How many threads compute."""
    seed: int | None
    """Every random choice is drawn from it; default: a hash of what is asked."""
    order: Order
    """Of the qubits inside: `"auto"` or `"natural"`."""
    as_written: bool
    """Numbers near nicer ones, as 1.5707963268, are what they say."""
    keep_dead: bool
    """Keep locations apart that differ in unread bits only."""
    include: Sequence[str | PathLike[str]]
    """Folders of files that OpenQASM may include, besides the program's own."""


class ModelOptions(HowOptions, total=False):
    """What a program means: its start, its propositions and its faults."""

    init: Any
    """The start, as a subspace; default: all qubits zero."""
    props: Mapping[str, Any] | None
    """Subspaces by their names in formulas."""
    annotations: Mapping[str | int, Any] | None
    """Subspaces by places: they are joined to sp and bound wp there."""
    faults: Faults | None
    """Faults that the environment chooses."""
    paths: Paths
    """`"feasible"`, or `"all"` branches, impossible ones as well."""


class AskOptions(TypedDict, total=False):
    """What is wanted of the answer."""

    ctl: Ctl
    """`"nusmv"` compares the temporal part with NuSMV's answer."""
    recheck: int
    """So many further primes."""
    certify: bool
    """Enough primes for a proof."""
    strict: bool
    """What holds with a warning is UNKNOWN."""
    explain: bool
    """Look for the causes of violations, when somebody looks at the result."""


class CompareOptions(HowOptions, AskOptions, total=False):
    """The options of `equivalent`."""


class CheckOptions(ModelOptions, AskOptions, total=False):
    """The options of `check`."""

    certificate: str | PathLike[str] | None
    """A file: what `verify_certificate` checks is written there."""


DEFAULTS: Mapping[str, Any] = {
    **dict.fromkeys(("method", "numbers", "order"), "auto"),
    **{"threads": 1, "recheck": 0, "include": (), "paths": "feasible", "ctl": "builtin", "explain": True},
    **dict.fromkeys(("as_written", "keep_dead", "certify", "strict"), False),
}
"""Of options; all others are None."""
OLD = {"engine": "numbers", "store": "method", "seconds": "timeout"}
"""Names of options until 0.x, and what their successors are called."""


def takes(
    options: type | None = None, *, old: Sequence[str] = ("engine", "store"), legacy: Sequence[str] = ()
) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """A public function with the options of a TypedDict; names that it does not know are TypeErrors.

    Names in `old` are translated, with a DeprecationWarning; those in `legacy` are warned of and passed on.
    """

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        signature = _signature(function, options)
        who = function.__qualname__.removesuffix(".__init__")

        @wraps(function)
        def called(*args: P.args, **given: P.kwargs) -> T:
            __tracebackhide__ = True
            return function(*args, **_named(who, given, signature.parameters, old, legacy))

        called.__signature__ = signature  # type: ignore[attr-defined]
        return called

    return decorate


def _signature(function: Callable[..., Any], options: type | None) -> inspect.Signature:
    """As if all options had been written down as parameters."""
    signature = inspect.signature(function)
    own = [p for p in signature.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
    further = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=DEFAULTS.get(name),
            annotation=getattr(kind, "__forward_arg__", kind),
        )
        for name, kind in (options.__annotations__ if options else {}).items()
    ]
    return signature.replace(parameters=[*own, *further])


def _named(
    who: str, given: Mapping[str, Any], known: Iterable[str], old: Sequence[str], legacy: Sequence[str]
) -> dict[str, Any]:
    """Options by their names of today."""
    names = list(known)
    for name in given:
        if name not in (*names, *old, *legacy):
            raise TypeError(f"{who}() has no option '{name}'{_near(name, names)}")
    for name in legacy:
        if name in given:
            _tell(f"{name}= of {who}() is now called {OLD[name]}=")
    outdated = {name: value for name, value in given.items() if name in old}
    found = {name: value for name, value in given.items() if name not in old}
    return {**found, **_translated(who, outdated, found)} if outdated else found


def _near(name: str, known: Sequence[str]) -> str:
    near = next(iter(get_close_matches(name, [*known, *OLD], n=1, cutoff=0.6)), None)
    if near in OLD:
        return f": did you mean '{OLD[near]}', which was called '{near}' before?"
    return f": did you mean '{near}'?" if near else ""


def _translated(who: str, old: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Old options by their new names."""
    new: dict[str, Any] = {}
    if "engine" in old or "store" in old:
        engine, store = old.get("engine", "auto"), old.get("store", "auto")
        arguments.one_of("engine", engine, ENGINES)
        arguments.one_of("store", store, STORES)
        new = dict(method_and_numbers(engine, store))
    if "seconds" in old:
        new["timeout"] = old["seconds"]
    twice = [name for name in new if name in given]
    if twice:
        names = ", ".join(f"{name}=" for name in old)
        raise UsageError(f"{who}() is given {twice[0]}= and {names}, an old name", hint=f"leave {names} out")
    names = " and ".join(f"{name}={value!r}" for name, value in old.items())
    _tell(f"{names} of {who}() is now {', '.join(f'{n}={v!r}' for n, v in new.items()) or 'the default'}")
    return new


def _tell(text: str) -> None:
    warn(f"{text}; the old name goes with 1.0", DeprecationWarning)


def inside(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options as `model/` and `deciders/` name them: `engine`, `store` and `limits`."""
    found = dict(options)
    method, numbers = found.pop("method", "auto"), found.pop("numbers", "auto")
    arguments.one_of("method", method, METHODS)
    arguments.one_of("numbers", numbers, NUMBERS)
    if method == "stabiliser" and numbers != "auto":
        raise UsageError(
            f"method='stabiliser' computes without numbers, and numbers={numbers!r} is given",
            hint="leave one of the two out",
        )
    found["engine"], found["store"] = engine_and_store(method, numbers)
    limits = [found.pop(name, None) for name in ("limits", "timeout", "memory")]
    found["limits"] = limits_of(*limits)
    return found


def limits_of(limits: Limits | None, timeout: float | None, memory: float | None) -> Limits | None:
    """Limits with a time in seconds and a memory in megabytes."""
    arguments.instance("limits", limits, Limits)
    arguments.positive("timeout", timeout)
    arguments.positive("memory", memory)
    if timeout is None and memory is None:
        return limits
    found = limits or Limits()
    for name, field, value in (("timeout", "seconds", timeout), ("memory", "memory_mb", memory)):
        if value is not None and getattr(found, field) is not None:
            raise UsageError(f"{name}= and limits=Limits({field}=...) are the same", hint="give one of them")
    return replace(found, seconds=timeout or found.seconds, memory_mb=memory or found.memory_mb)
