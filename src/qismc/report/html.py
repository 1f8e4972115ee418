"""The interactive report: one HTML file that needs no network."""

from __future__ import annotations

import json
from functools import cache
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from qismc.report.html_data import diagram_data, result_data
from qismc.report.show_blocks import Diagram
from qismc.results import Result

SCRIPTS = (
    "state.js",
    "source.js",
    "graph.js",
    "circuit.js",
    "beside.js",
    "inspector.js",
    "formula.js",
    "main.js",
)


def to_html(result: Result) -> str:
    """A page that steps through the executions behind the verdicts."""
    return _page(result_data(result))


def diagram_html(picture: Diagram) -> str:
    """A page that shows a transition system."""
    return _page(diagram_data(picture))


def _page(data: dict[str, Any]) -> str:
    return Template(_asset("page.html")).substitute(
        title=escape(f"{data['program']} · QisMC"),
        style=_asset("page.css"),
        script="\n".join(_asset(name) for name in SCRIPTS),
        data=_embedded(data),
    )


@cache
def _asset(name: str) -> str:
    return files("qismc.report").joinpath("assets").joinpath(name).read_text(encoding="utf-8")


def _embedded(data: dict[str, Any]) -> str:
    """JSON that cannot end the script element it stands in."""
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
