"""The JSON schema of `qismc check --json` and `Result.to_json()`, shipped with the package."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

NAME = "check.schema.json"


def schema() -> dict[str, Any]:
    """The schema as data."""
    text = (files("qismc.report") / "assets" / NAME).read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found
