"""The command line: arguments in, reports and an exit status out."""

import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # its threads spin on small matrices; read when it loads

try:
    from qismc.cli.main import main
except KeyboardInterrupt:  # Ctrl-C while modules are loaded, before anybody could tell what it means
    sys.stderr.write("interrupted\n")
    sys.exit(130)

__all__ = ["main"]
