"""The command line: arguments in, reports and an exit status out."""

import gc
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # its threads spin on small matrices; read when it loads
gc.set_threshold(100_000, 20, 100)  # modules, programs and locations are many objects and no garbage

from qismc.cli.main import main  # noqa: E402 - what it loads is meant

__all__ = ["main"]
