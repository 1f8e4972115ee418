"""The command line: arguments in, reports and an exit status out."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # its threads spin on small matrices; read when it loads

from qismc.cli.main import main

__all__ = ["main"]
