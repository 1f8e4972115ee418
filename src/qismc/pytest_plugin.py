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

HERE = Path(__file__).parent
OPTIONS = {
    "qismc_timeout": "seconds for each check of assert_holds and assert_equivalent",
    "qismc_memory": "megabytes for each of these checks",
    "qismc_method": "auto, graph, levels or stabiliser",
    "qismc_numbers": "auto, exact or float",
}
OLD = {"qismc_engine": "qismc_numbers", "qismc_store": "qismc_method"}
"""Settings until 0.x, and what they are called now."""
FLAGS = {
    "qismc_strict": "what holds with a warning fails",
    "qismc_trace": "plain Qiskit circuits that tests build know their source lines",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """The settings of `[tool.pytest.ini_options]`, and options of the same names."""
    group = parser.getgroup("qismc")
    for name, what in OPTIONS.items():
        parser.addini(name, what)
        group.addoption(f"--{name.replace('_', '-')}", help=what)
    for name, new in OLD.items():
        parser.addini(name, f"old name of {new}")
    for name, what in FLAGS.items():
        parser.addini(name, what, type="bool", default=False)


def pytest_configure(config: pytest.Config) -> None:
    """Say which settings have new names."""
    for name, new in OLD.items():
        if config.getini(name):
            text = f"{name} is now {new}; the old name goes with 1.0"
            config.issue_config_time_warning(pytest.PytestDeprecationWarning(text), stacklevel=2)


def options_of(config: pytest.Config) -> dict[str, Any]:
    """What the command line and the configuration say, as options of `qismc.check`."""
    from qismc.common.choices import method_and_numbers  # noqa: PLC0415

    found: dict[str, Any] = {}
    old = [config.getini(name) or "auto" for name in OLD]
    found |= method_and_numbers(*old)
    for name in ("method", "numbers"):
        text = _setting(config, f"qismc_{name}")
        if text:
            found[name] = text
    for name in ("timeout", "memory"):
        number = _number(config, f"qismc_{name}")
        if number is not None:
            found[name] = number
    if config.getini("qismc_strict"):
        found["strict"] = True
    return found


def _setting(config: pytest.Config, name: str) -> str:
    return str(config.getoption(name) or config.getini(name) or "")


def _number(config: pytest.Config, name: str) -> float | None:
    text = _setting(config, name)
    try:
        return float(text) if text else None
    except ValueError:
        raise pytest.UsageError(f"{name} = {text!r} is no number") from None


@contextmanager
def configured(config: pytest.Config) -> Iterator[None]:
    """Assertions inside take the options of the session, and what holds with a warning issues it."""
    from qismc.common.defaults import by_default  # noqa: PLC0415

    with ExitStack() as stack:
        stack.enter_context(by_default(**options_of(config)))
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
    """What QisMC says on purpose is reported behind the lines that asked; --full-trace shows its own, too."""
    report = yield
    if call.excinfo is not None and not item.config.getoption("fulltrace"):
        told = _told(call.excinfo.value)
        if told is not None:
            headline, body = told
            report.longrepr = "\n".join([headline, *_asked(item, call.excinfo), *body])
    return report


def _told(error: BaseException) -> tuple[str, list[str]] | None:
    """What the summary of the session shows of it, and the rest; None for what is no answer of QisMC."""
    violated = getattr(sys.modules.get("qismc.results.result"), "PropertyViolated", None)
    if violated is not None and isinstance(error, violated):
        return str(error.headline), ["", str(error)]
    wrong = getattr(sys.modules.get("qismc.errors"), "QismcError", None)
    if wrong is not None and isinstance(error, wrong):
        return f"{type(error).__name__}: {error}", []
    return None


def _asked(item: pytest.Item, info: pytest.ExceptionInfo[BaseException]) -> Iterator[str]:
    """`file:line: the statement`, from the test to where the library was called."""
    root = item.config.rootpath
    frames = info.traceback.filter(info)
    inside = [k for k, entry in enumerate(frames) if Path(str(entry.path)) == Path(str(item.path))]
    for entry in frames[inside[0] if inside else 0 :]:
        path = Path(str(entry.path))
        if path.is_relative_to(HERE):
            return
        shown = path.relative_to(root) if path.is_relative_to(root) else path
        yield f"{shown}:{entry.lineno + 1}: {str(entry.statement).strip()}"
