"""Distributions in every form."""

from __future__ import annotations

import json
from math import inf
from pathlib import Path

import pytest

from qismc.common.source import Source
from qismc.probability.distribution import Loop, Outcomes


@pytest.fixture
def coin() -> Outcomes:
    loops = (Loop("while (c == 0)", Source("f.qasm", 3, 1), 16 / 9), Loop("while (true)", None, inf))
    return Outcomes(
        "coin <&>", ("c", "d"), (2, 1), {(0, 0): 1 / 16, (2, 1): 3 / 16}, "leaf", 3 / 4, loops, 1e-14
    )


def test_text(coin: Outcomes) -> None:
    text = str(coin)
    assert "c = 2 (10), d = 1" in text and "3/16" in text and "never ends: 0.75" in text
    assert "line 3: while (c == 0): 1.77778 turns expected" in text
    assert "while (true): infinitely many turns expected" in text
    assert "72 shots see the rarest outcome with 99%; error < 1e-14" in text


def test_many_outcomes_are_summed_up() -> None:
    table = {(k,): (2 if k % 2 else 1) / 1500 for k in range(1000)}
    many = Outcomes("p", ("c",), (10,), table, "leaf", 0.0, (), 1e-14)
    assert "968 further outcomes" in str(many) and "c = 1 (0000000001)" in str(many)
    assert "744 further outcomes" in many.to_html()


def test_json(coin: Outcomes) -> None:
    found = json.loads(json.dumps(coin.to_json()))
    assert found["registers"] == {"c": {"0": 1 / 16, "2": 3 / 16}, "d": {"0": 1 / 16, "1": 3 / 16}}
    assert found["unfinished"] == 0.75 and found["error_bound"] == 1e-14 and found["shots"] == 72
    source = {"file": "f.qasm", "line": 3, "column": 1}
    assert found["loops"][0] == {"source": source, "text": "while (c == 0)", "turns": 16 / 9}
    assert found["loops"][1]["turns"] is None
    assert found["joint"][1] == {"values": {"c": 2, "d": 1}, "probability": 3 / 16}


def test_html(coin: Outcomes, tmp_path: Path) -> None:
    page = coin.to_html(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text() == page
    assert "coin &lt;&amp;&gt;" in page and "coin <&>" not in page
    assert "width:100.00%" in page and "width:33.33%" in page and "3/16" in page
    assert coin._repr_html_() in page


def test_plot(coin: Outcomes) -> None:
    pytest.importorskip("matplotlib")
    axes = coin.plot()
    assert [round(bar.get_height(), 6) for bar in axes.patches] == [0.0625, 0.1875, 0.75]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["0 (00), 0", "2 (10), 1", "never"]
    assert coin.plot(axes) is axes
