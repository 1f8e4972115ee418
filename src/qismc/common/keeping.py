"""Where things are kept between processes that take long to make and can always be made again."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def kept_at(name: str) -> str | None:
    """A file in the user's own cache folder, made where it is missing; None where there can be none."""
    try:
        folder = _caches() / "qismc"
        str(folder).encode()  # tables are kept under a digest of it
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, RuntimeError, ValueError):  # no home, none that can be written, or no text
        return None
    return str(folder / name) if os.access(folder, os.W_OK) else None


def _caches() -> Path:
    """As the system has it: what others may write to is no place for what is loaded unseen."""
    if sys.platform == "win32":
        return Path(os.environ["LOCALAPPDATA"]) if "LOCALAPPDATA" in os.environ else Path.home()
    given = os.environ.get("XDG_CACHE_HOME", "")
    return Path(given) if os.path.isabs(given) else Path.home() / ".cache"  # noqa: PTH117 - no file is meant
