"""SVG: well-formed, complete, with and without Graphviz."""

from __future__ import annotations

import shutil
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from qismc import Model
from qismc.demo import repeat_until_success
from qismc.report import show_svg
from qismc.report.show_svg import svg

from .programs import random_program

SPACE = "{http://www.w3.org/2000/svg}"


def texts(document: str) -> list[str]:
    return ["".join(t.itertext()) for t in ElementTree.fromstring(document).iter(f"{SPACE}text")]


@pytest.mark.parametrize("seed", range(5))
def test_our_own_layout_shows_every_block(seed: int) -> None:
    picture = Model(random_program(seed)).diagram()
    root = ElementTree.fromstring(svg(picture, graphviz=False))
    assert len(root.findall(f".//{SPACE}rect")) == len(picture.blocks)
    arrows = [p for p in root.iter(f"{SPACE}path") if p.get("class") == "arrow"]
    assert len(arrows) == len(picture.arrows)


def test_statements_of_the_program_are_escaped() -> None:
    picture = Model(repeat_until_success(reset_ancilla=True)).diagram()
    program = replace(picture.system.program, name="<b>&", texts=["<script>&"] * 100)
    picture.system.program = program
    assert any("<script>&" in text for text in texts(svg(picture, graphviz=False)))


def test_styles_do_not_leak_into_the_page() -> None:
    style = ElementTree.fromstring(svg(Model(random_program(0)).diagram(), graphviz=False)).find(
        f"{SPACE}style"
    )
    assert style is not None
    rules = [rule for rule in (style.text or "").split("}") if rule]
    assert all(rule.startswith(".qismc-system ") for rule in rules)


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_graphviz_draws_the_same_statements() -> None:
    picture = Model(repeat_until_success(reset_ancilla=True)).diagram()
    assert any(
        "measure q[0] -> c[0]" in text.replace("\xa0", " ") for text in texts(svg(picture, graphviz=True))
    )


def test_without_graphviz_our_own_layout_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(show_svg.shutil, "which", lambda _: None)
    assert "qismc-system" in svg(Model(random_program(1)).diagram(), graphviz=True)


def test_a_failing_graphviz_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(show_svg.shutil, "which", lambda _: "/nonexistent/dot")
    assert "qismc-system" in svg(Model(random_program(1)).diagram(), graphviz=True)
