"""Repairs in terminals and notebooks."""

from __future__ import annotations

from pathlib import Path

import qismc

BUGGY = Path(__file__).parents[2] / "examples" / "rus_buggy.qasm"


def test_notebooks_and_plain_texts() -> None:
    result = qismc.check(str(BUGGY)).with_repairs(limit=1)
    assert "<b>repair:</b>" in result._repr_html_()
    assert "+  reset q[0];" in result._repr_html_()
    text = str(result)
    assert "repair: " in text
    assert "1 repair found; " in text
    assert "repair" not in str(qismc.check(str(BUGGY)))
