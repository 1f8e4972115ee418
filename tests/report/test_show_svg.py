"""SVG: well-formed, complete, with and without Graphviz."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from qismc import Model
from qismc.demo import repeat_until_success
from qismc.report import show_svg
from qismc.report.show_svg import dot, svg

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


@pytest.mark.parametrize("seed", range(5))
def test_every_block_and_arrow_is_there(seed: int) -> None:
    picture = Model(random_program(seed)).diagram()
    text = dot(picture)
    assert re.findall(r"^  b(\d+) \[", text, re.M) == [str(b.number) for b in picture.blocks]
    arrows = re.findall(r"^  b(\d+) -> b(\d+)", text, re.M)
    assert [(int(a), int(b)) for a, b in arrows] == [(a.source, a.target) for a in picture.arrows]


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_graphviz_reads_names_with_quotes_and_backslashes() -> None:
    picture = Model(repeat_until_success(reset_ancilla=True)).diagram()
    program = replace(picture.system.program, name='a "b" \\ <c>', texts=['x "\\" <&>'] * 100)
    picture.system.program = program
    done = subprocess.run(
        ["dot", "-Tplain"], input=dot(picture), capture_output=True, text=True, check=True, timeout=60
    )
    assert sum(line.startswith("node") for line in done.stdout.splitlines()) == len(picture.blocks)
