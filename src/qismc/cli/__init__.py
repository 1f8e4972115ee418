"""The command line: arguments in, reports and an exit status out."""

import os
import sys

from qismc.common.bulk import rare_collection

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # its threads spin on small matrices; read when it loads

try:
    with rare_collection():  # what modules are made of is no garbage
        from qismc.cli.main import main
except KeyboardInterrupt:  # Ctrl-C while modules are loaded, before anybody could tell what it means
    sys.stderr.write("interrupted\n")
    sys.exit(130)

__all__ = ["main"]
