"""How results are shown: they ask here, and reports, which know results, answer.

Reports register what they make of a type; the package names the module that does so (`shown_by`), and it is
loaded when somebody looks.
"""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from typing import Any

from qismc.common import arguments
from qismc.common.files import write_text

_load: list[Callable[[], object]] = []
_reports: dict[tuple[type, str], Callable[..., Any]] = {}
"""By the type that they show and their form."""


def shown_by(load: Callable[[], object]) -> None:
    """Let `load` register the reports before the first of them is needed."""
    _load[:] = [load]


def register(kind: type, **reports: Callable[..., Any]) -> None:
    """How a type is shown: by the forms below, functions of an object of this type."""
    _reports.update({(kind, form): report for form, report in reports.items()})


def _shown(form: str, thing: object, *how: Any) -> Any:
    while _load:
        _load.pop()()
    report = next((_reports[kind, form] for kind in type(thing).__mro__ if (kind, form) in _reports), None)
    if report is None:
        raise TypeError(f"no report shows a {type(thing).__name__}")
    return report(thing, *how)


def fragment(thing: object) -> str:
    """HTML for a notebook."""
    return str(_shown("fragment", thing))


class Shown:
    """What is shown as text, as plain data, as a page, and in notebooks."""

    def __str__(self) -> str:
        """Plain text, as the terminal prints it without colours."""
        return str(_shown("text", self))

    def to_json(self) -> dict[str, Any]:
        """The report as plain data, as `--json` prints it."""
        return dict(_shown("data", self))

    def to_html(self, path: str | PathLike[str] | None = None) -> str:
        """The report as one self-contained page; written to `path` if one is given."""
        arguments.path("path", path)
        found = str(_shown("page", self))
        if path is not None:
            write_text(path, found)
        return found

    def _repr_html_(self) -> str:
        return fragment(self)


def figure(thing: object, axes: Any = None) -> Any:
    """A picture by matplotlib, on given axes where it can be drawn on these."""
    return _shown("figure", thing, *(() if axes is None else (axes,)))


def sarif(thing: object) -> dict[str, Any]:
    """A log in SARIF 2.1.0."""
    return dict(_shown("sarif", thing))
