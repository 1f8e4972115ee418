"""For pytest: the report of a violated property is the failure, and options come from the configuration.

Nothing is imported here before a test needs it: a session that has nothing to do with QisMC must not pay.
"""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

OPTIONS = {
    "qismc_timeout": "seconds for each check of assert_holds and assert_equivalent",
    "qismc_memory": "megabytes for each of these checks",
    "qismc_engine": "auto, exact or float",
    "qismc_store": "auto, explicit or levels",
}
FLAGS = {
    "qismc_strict": "what holds with a warning fails",
    "qismc_trace": "plain Qiskit circuits that tests build know their source lines",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """The settings of `[tool.pytest.ini_options]`."""
    for name, what in OPTIONS.items():
        parser.addini(name, what)
    for name, what in FLAGS.items():
        parser.addini(name, what, type="bool", default=False)


def options_of(config: pytest.Config) -> dict[str, Any]:
    """What the configuration says, as options of `qismc.check`."""
    found: dict[str, Any] = {}
    for option in ("engine", "store"):
        if config.getini(f"qismc_{option}"):
            found[option] = str(config.getini(f"qismc_{option}"))
    if config.getini("qismc_strict"):
        found["strict"] = True
    seconds, memory = (_number(config, name) for name in ("qismc_timeout", "qismc_memory"))
    if seconds is not None or memory is not None:
        from qismc.limits import Limits  # noqa: PLC0415

        found["limits"] = Limits(seconds=seconds, memory_mb=memory)
    return found


def _number(config: pytest.Config, name: str) -> float | None:
    text = config.getini(name)
    try:
        return float(text) if text else None
    except ValueError:
        raise pytest.UsageError(f"{name} = {text!r} is no number") from None


@contextmanager
def configured(config: pytest.Config) -> Iterator[None]:
    """Assertions inside take the options of the session."""
    options = options_of(config)
    with ExitStack() as stack:
        if options:
            from qismc.defaults import by_default  # noqa: PLC0415

            stack.enter_context(by_default(**options))
        if config.getini("qismc_trace"):
            from qismc.program import trace  # noqa: PLC0415

            stack.enter_context(trace())
        yield


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Around the body of every test."""
    with configured(pyfuncitem.config):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A violated property is reported by its own report, behind the line that asked."""
    report = yield
    violated = getattr(sys.modules.get("qismc.result"), "PropertyViolated", None)
    if violated is not None and call.excinfo is not None and isinstance(call.excinfo.value, violated):
        report.longrepr = _failure(item, call.excinfo)
    return report


def _failure(item: pytest.Item, info: pytest.ExceptionInfo[BaseException]) -> str:
    """`file:line: the statement`, and the report."""
    entry = next((e for e in reversed(info.traceback) if not e.ishidden(info)), info.traceback[-1])
    path, root = Path(str(entry.path)), item.config.rootpath
    shown = path.relative_to(root) if path.is_relative_to(root) else path
    return f"{shown}:{entry.lineno + 1}: {str(entry.statement).strip()}\n\n{info.value}"
