"""The guard of instruction counts itself; counting is a session of its own."""

from __future__ import annotations

import json
from pathlib import Path

from .speed import BAND, RECORD, judged


def test_bands() -> None:
    recorded = {"a": 1000, "b": 1000}
    assert judged({"a": int(1000 * (1 + BAND)), "b": 1000}, recorded) == {}
    assert judged({"a": 1000, "b": 700}, recorded) == {"b": -0.3}


def test_every_case_is_recorded() -> None:
    source = (Path(__file__).parent / "speed.cpp").read_text(encoding="utf-8")
    assert all(f'{{"{case}", {case}}}' in source for case in json.loads(RECORD.read_text(encoding="utf-8")))
