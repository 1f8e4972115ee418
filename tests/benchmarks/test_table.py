"""What the table shows, and what the exit status says."""

from __future__ import annotations

import json

from rich.console import Console

from benchmarks.row import Row, unanswered
from benchmarks.table import exit_status, json_line, remarks, table

SECONDS = {"build": 0.5, "fixpoint": 0.25, "check": 0.125}
RIGHT = Row("right", "holds", "holds", qubits=7, gates=1234, seconds=SECONDS, cpu=0.6, peers={"aer": 1.5})
OPEN = Row("open", "violated", None, qubits=3, seconds=SECONDS)
WRONG = Row("wrong", "holds", "violated", seconds=SECONDS)
LATE = unanswered("late", "unknown", "limit: no answer within 5 s")


def shown(*rows: Row, peers: tuple[str, ...] = ()) -> str:
    console = Console(width=200, record=True, file=open("/dev/null", "w", encoding="utf-8"))  # noqa: PTH123, SIM115
    console.print(table(rows, peers))
    for remark in remarks(rows):
        console.print(remark)
    return console.export_text()


def test_numbers_are_shown() -> None:
    text = shown(RIGHT)
    for word in ("right", "1,234", "0.500", "0.250", "0.125", "holds"):
        assert word in text


def test_columns_that_nobody_fills_are_left_out() -> None:
    assert "record s" not in shown(RIGHT)
    assert "record s" in shown(Row("r", "holds", seconds={"record": 1.0}))


def test_absent_peers_are_empty_columns() -> None:
    header, line = shown(RIGHT, peers=("mqt-core", "aer")).splitlines()[:2]
    assert "mqt-core s" in header
    assert line.split()[-2:] == ["1.500", "0.40"]
    assert "None" not in line


def test_wrong_verdicts_are_loud() -> None:
    text = shown(RIGHT, WRONG)
    assert "WRONG: holds" in text
    assert "WRONG VERDICT: wrong is said to be holds; it is violated" in text
    assert "WRONG" not in shown(RIGHT, OPEN, LATE)


def test_missing_verdicts_have_reasons() -> None:
    assert "late: unknown, limit: no answer within 5 s" in shown(LATE)


def test_exit_status() -> None:
    assert exit_status([RIGHT, OPEN]) == 0
    assert exit_status([RIGHT, LATE]) == 3
    assert exit_status([LATE, WRONG, RIGHT]) == 1


def test_unknown_is_not_wrong() -> None:
    assert not Row("x", "unknown", "holds").wrong
    assert Row("x", "violated", "holds").wrong


def test_json_lines() -> None:
    line = json_line(WRONG)
    assert "\n" not in line
    data = json.loads(line)
    assert data["wrong"] is True
    assert data["seconds"] == SECONDS
    assert (data["name"], data["verdict"], data["expected"]) == ("wrong", "holds", "violated")


def test_the_best_peer_is_the_measure() -> None:
    assert Row("x", "holds", cpu=6.0, peers={"a": 3.0, "b": 2.0, "c": None}).ratio == 3.0
    assert Row("x", "holds", cpu=6.0, peers={"c": None}).ratio is None
    assert Row("x", "unknown", cpu=6.0, peers={"a": 3.0}).ratio is None


def test_totals_need_all_stages() -> None:
    assert RIGHT.total == 0.875
    assert LATE.total is None
