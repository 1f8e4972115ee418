"""How results are shown: they ask here, and reports, which know results, answer.

Each function is generic over the type of its first argument. Reports register one implementation for each
type; the package names the module that does so (`shown_by`), and it is loaded when somebody looks.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch
from typing import Any

_load: list[Callable[[], object]] = []


def shown_by(load: Callable[[], object]) -> None:
    """Let `load` bring in the implementations before the first of them is needed."""
    _load[:] = [load]


def _shown(show: Callable[..., Any], thing: object, *how: Any) -> Any:
    """What the implementation for a type says; there is one as soon as reports are loaded."""
    while _load:
        _load.pop()()
        return show(thing, *how)
    raise TypeError(f"no report shows a {type(thing).__name__}")


@singledispatch
def text(thing: object) -> str:
    """Plain text, as the terminal prints it without colours."""
    return str(_shown(text, thing))


@singledispatch
def data(thing: object) -> dict[str, Any]:
    """Plain data, as `--json` prints it."""
    return dict(_shown(data, thing))


@singledispatch
def page(thing: object) -> str:
    """A self-contained HTML page."""
    return str(_shown(page, thing))


@singledispatch
def fragment(thing: object) -> str:
    """HTML for a notebook."""
    return str(_shown(fragment, thing))


@singledispatch
def figure(thing: object, axes: Any = None) -> Any:
    """A picture by matplotlib."""
    return _shown(figure, thing, axes)


@singledispatch
def sarif(thing: object) -> dict[str, Any]:
    """A log in SARIF 2.1.0."""
    return dict(_shown(sarif, thing))
