"""Pictures of a transition system: text, DOT, SVG, HTML, JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass

from qismc.common.arguments import one_of
from qismc.common.choices import FORMATS
from qismc.common.loading import loading
from qismc.report.show_blocks import Diagram
from qismc.report.show_dot import dot
from qismc.report.show_json import to_data
from qismc.report.show_svg import svg
from qismc.report.show_text import text


def show(picture: Diagram, form: str = "text", *, fold: bool = True) -> str:
    """The system in one of FORMATS; `fold` turns straight runs of gates into single lines."""
    if form == "text":
        return text(picture, fold=fold)
    if form == "dot":
        return dot(picture, fold=fold)
    if form == "svg":
        return svg(picture, fold=fold)
    if form == "html":
        with loading():
            from qismc.report.html import diagram_html  # noqa: PLC0415 - the page builds on results

        return diagram_html(picture)
    if form == "json":
        return json.dumps(to_data(picture), indent=1)
    one_of("format", form, FORMATS)
    raise AssertionError(form)


@dataclass(frozen=True)
class Drawing:
    """A picture that prints in its own format and shows as SVG in notebooks."""

    picture: Diagram
    form: str = "text"
    fold: bool = True

    def __str__(self) -> str:
        return show(self.picture, self.form, fold=self.fold)

    __repr__ = __str__

    def _repr_svg_(self) -> str:
        return show(self.picture, "svg", fold=self.fold)


def draw(picture: Diagram, form: str = "text", *, fold: bool = True) -> Drawing:
    """A Drawing; an unknown format is refused at once, not when somebody prints it."""
    one_of("format", form, FORMATS)
    return Drawing(picture, form, fold)
