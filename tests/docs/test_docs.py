"""README and documentation tell the truth: their code runs, their output is what the commands print."""

from __future__ import annotations

import re
import runpy
import shutil
from pathlib import Path

import pytest

from .pages import Session, agrees, anchors, commands, fences, links, run_page

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PROSE = ("api", "comparison", "glossary", "reliability")
"""Pages without code: generated from docstrings, or about words, figures and other tools."""
LINKING = [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with the examples in it, and a terminal of 100 columns."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    return tmp_path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_page(page: Path, folder: Path) -> None:
    assert (run_page(page, folder) > 0) == (page.stem not in PROSE)


@pytest.mark.parametrize("page", ["glossary", "extending"])
def test_named_files_exist(page: str) -> None:
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:[a-z_0-9]+/)+(?:[\w.]+)?|\w+\.py)`", text)
    assert len(named) > 10
    for name in named:
        assert (ROOT / "src" / "qismc" / name).exists() or (ROOT / name).exists(), name


@pytest.mark.parametrize(
    "page", sorted((ROOT / "docs" / "pictures").glob("*.svg")), ids=lambda page: page.stem
)
def test_pictures_are_those_of_the_script(page: Path) -> None:
    pictures = runpy.run_path(str(ROOT / "website" / "pictures.py"))["PICTURES"]
    assert page.read_text(encoding="utf-8") == pictures[page.stem]()


@pytest.mark.parametrize("page", LINKING, ids=lambda page: page.stem)
def test_links_lead_somewhere(page: Path) -> None:
    for name, anchor in links(page.read_text(encoding="utf-8")):
        target = page.parent / name if name else page
        assert target.exists(), f"{page.name} links to {name}"
        assert anchor is None or anchor in anchors(target.read_text(encoding="utf-8")), f"{name}#{anchor}"


@pytest.mark.parametrize(("shown", "actual", "same"), [
    ("HOLDS  a\nqc: 0.001 s\n", "HOLDS  a   \nqc: 12.5 s\n", True),
    ("HOLDS  a\n", "VIOLATED  a\n", False),
    ("exact engine (1 random prime, error <\n2e-16), 1.5 s\n", "exact engine, 0.1 s\n", True),
    ("one\n[...]\nthree\n", "one\ntwo\n2\nthree\n", True),
    ("one\n[...]\nthree\n", "one\nthree\n", True),
    ("one\n[...]\nthree\n", "one\ntwo\n", False),
    ("one\n", "one\ntwo\n", False),
])  # fmt: skip
def test_outputs_are_compared(shown: str, actual: str, same: bool) -> None:
    assert agrees(shown, actual) == same


def test_blocks_are_found() -> None:
    page = "text\n\n```python a.py\nx = 1\n```\n\n```console\n$ one\n1\n$ two\n```\n"
    first, second = fences(page)
    assert first == ("python", "a.py", "x = 1\n", 4)
    assert list(commands(second.text)) == [("one", "1\n"), ("two", "")]


def test_links_and_headings_are_found() -> None:
    assert list(links("[a](b.md#c) [d](https://e.f) [g](h/i) [j](#k)")) == [
        ("b.md", "c"),
        ("h/i", None),
        ("", "k"),
    ]
    assert anchors("# One: `two`\n\n```sh\n# no\n```\n\n## It's three-four\n") == {
        "one-two",
        "its-three-four",
    }


def test_a_wrong_page_is_noticed(folder: Path) -> None:
    session = Session(folder, "wrong", {})
    for text in ("```console\n$ qismc version\nqismc 0.0.0\n```\n", "```python\nassert 1 == 2\n```\n"):
        (fence,) = fences(text)
        with pytest.raises(AssertionError):
            session.play(fence)
