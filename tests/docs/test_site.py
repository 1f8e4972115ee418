"""The site as a browser shows it: code is code, headings are headings, tables show their kets."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ..report.browser import launched, opened
from .pages import FENCE, fences

ROOT = Path(__file__).parents[2]
OUTSIDE = {"README.md": "index", "CONTRIBUTING.md": "contributing", "CHANGELOG.md": "changelog"}
PAGES = {
    **{name: ROOT / file for file, name in OUTSIDE.items()},
    **{
        page.relative_to(ROOT / "docs").with_suffix("").as_posix(): page
        for page in sorted((ROOT / "docs").rglob("*.md"))
    },
}
GENERATED = "api"
"""This page has code blocks and headings of its own, made of docstrings."""
READABLE = 4.5
"""Least contrast of text and background (WCAG AA)."""
LUMINANCE = """(element) => {
  const shade = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
    .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  let behind = element;
  const filled = (node) => (shade(getComputedStyle(node).backgroundColor)[3] ?? 1) > 0.9;
  while (behind.parentElement && !filled(behind)) behind = behind.parentElement;
  const pair = [getComputedStyle(element).color, getComputedStyle(behind).backgroundColor];
  const [low, high] = pair.map(shade).map(light).sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the rendered site."""
    pytest.importorskip("mkdocs", reason="the site needs the extra 'docs'")
    pytest.importorskip("material", reason="the site needs the extra 'docs'")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with launched() as browser:
        yield browser


@pytest.mark.parametrize("name", PAGES)
def test_a_page_shows_what_its_source_says(name: str, site: Path, browser: Any) -> None:
    source = PAGES[name].read_text(encoding="utf-8")
    prose = FENCE.sub("", source)
    with opened(browser, site / f"{name}.html") as page:
        blocks = page.eval_on_selector_all("article pre > code", "all => all.map((x) => x.textContent)")
        titles = page.eval_on_selector_all("article .filename", "all => all.map((x) => x.textContent)")
        cells = page.eval_on_selector_all("article :is(th, td) code", "all => all.map((x) => x.textContent)")
        headings = page.eval_on_selector_all(
            "article :is(h1, h2, h3, h4)", "all => all.map((x) => x.firstChild?.textContent ?? '')"
        )
        shown = page.inner_text("article")
    written = list(fences(source))
    assert cells == list(_code_in_tables(prose))
    assert "```" not in shown and "\\|" not in shown
    if name != GENERATED:
        assert [block.strip("\n") for block in blocks] == [fence.text.strip("\n") for fence in written]
        assert titles == [fence.file for fence in written if fence.file]
        assert len(headings) == len(re.findall(r"^#{1,4} ", prose, re.MULTILINE))


def _code_in_tables(prose: str) -> Iterator[str]:
    for row in re.findall(r"^\|.*\|$", prose, re.MULTILINE):
        for _, code in re.findall(r"(`+)(?!`)(.+?)\1", row):
            yield code.replace("\\|", "|").strip()


@pytest.mark.parametrize(("scheme", "palette"), [("light", "default"), ("dark", "slate")])
@pytest.mark.parametrize("name", ["index", "start", "language"])
def test_text_and_code_can_be_read(name: str, scheme: str, palette: str, site: Path, browser: Any) -> None:
    with opened(browser, site / f"{name}.html", scheme=scheme) as page:
        assert page.get_attribute("body", "data-md-color-scheme") == palette
        for selector in ("article p", "article pre > code", "article td", "article h2"):
            for element in page.query_selector_all(selector)[:20]:
                assert element.evaluate(LUMINANCE) >= READABLE, element.inner_text()
