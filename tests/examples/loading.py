"""Examples as modules."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = sorted(
    path.relative_to(EXAMPLES).with_suffix("").as_posix()
    for path in EXAMPLES.rglob("*.py")
    if not path.stem.startswith("test_")
)


def example(name: str) -> dict[str, Any]:
    """What the file of that name defines."""
    return runpy.run_path(str(EXAMPLES / f"{name}.py"))
