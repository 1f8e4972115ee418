"""Work for pools of processes."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path


def square(number: int) -> int:
    return number * number


def square_of(item: tuple[int, str]) -> int:
    """The worker dies where the file says so: "once" or "always"."""
    number, name = item
    file = Path(name) if name else None
    if file is not None and file.exists():
        if file.read_text() == "once":
            file.unlink()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def failing(number: int) -> int:
    raise ValueError(f"no {number}")


def sleep(seconds: float) -> None:
    time.sleep(seconds)


def die(status: int) -> None:
    os._exit(status)


def eat(size: int) -> int:
    return len(bytearray(size))
