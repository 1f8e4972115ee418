"""Console blocks are brought up to date, and only where they have to be."""

from __future__ import annotations

from pathlib import Path

import pytest

from .pages import Session, run_page
from .renew import renew, renewed


@pytest.mark.parametrize(("shown", "actual", "expected"), [
    ("HOLDS  a\nqc: 0.001 s\n", "HOLDS  a\nqc: 9.9 s\n", "HOLDS  a\nqc: 0.001 s\n"),
    ("HOLDS  a\n", "VIOLATED  a  \nb\n", "VIOLATED  a\nb\n"),
    ("", "", ""),
    ("a\nb\n[...]\nd\ne\n", "a\nB\nb\nc\nd\nE\n", "a\nB\nb\n[...]\nd\nE\n"),
    ("a\n[...]\nd\n[...]\nf\n", "a\nx\nd\ny\nf\ng\n", "a\n[...]\nd\n[...]\nf\ng\n"),
])  # fmt: skip
def test_outputs(shown: str, actual: str, expected: str) -> None:
    assert renewed(shown, actual) == expected


def test_a_gap_without_its_neighbours_needs_a_person() -> None:
    with pytest.raises(ValueError, match="d"):
        renewed("a\n[...]\nd\n", "a\nb\nc\n")


def test_a_renewed_page_is_right(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```python\nx = 1\n```\n\n```console\n$ qismc version\nold\n$ echo $?\n7\n```\nend\n")
    with pytest.raises(AssertionError):
        run_page(page, tmp_path)
    page.write_text(renew(page, Session(tmp_path, "page", {})))
    assert run_page(page, tmp_path) == 2
    assert page.read_text().startswith("```python\nx = 1\n```\n\n```console\n$ qismc version\nqismc ")
    assert page.read_text().endswith("$ echo $?\n0\n```\nend\n")
