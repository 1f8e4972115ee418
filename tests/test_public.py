"""Public names exist, are documented, and nothing else is exported."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import qismc

PAGE = (Path(__file__).parents[1] / "docs" / "python.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", qismc.__all__)
def test_documented(name: str) -> None:
    assert re.search(rf"\b{name}\b", PAGE) and getattr(qismc, name).__doc__


@pytest.mark.parametrize("name", [n for n in vars(qismc.Model) if not n.startswith("_")])
def test_public_members_of_models_say_what_they_are(name: str) -> None:
    member = vars(qismc.Model)[name]
    assert member.__doc__, f"Model.{name} has no docstring"
