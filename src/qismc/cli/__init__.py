"""The command line: arguments in, reports and an exit status out.

Commands translate options, enforce limits, print and write files. What they compute, Python can compute with
the functions of `api/`.
"""

import atexit
import os
import sys
import threading

from qismc.common.process import rare_collection

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # its threads spin on small matrices; read when it loads

try:
    with rare_collection():  # what modules are made of is no garbage
        from qismc.cli.main import main
except KeyboardInterrupt:  # Ctrl-C while modules are loaded, before anybody could tell what it means
    sys.stderr.write("interrupted\n")
    sys.exit(130)

__all__ = ["main", "run"]


def run() -> None:
    """The command as a process of its own; it leaves memory to the system: to free gigabytes takes time."""
    try:
        main(prog_name="qismc")
    except SystemExit as end:
        if not isinstance(end.code, int):
            raise
        threading._shutdown()  # type: ignore[attr-defined]  # as Python does: pools still end their workers
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            try:
                if stream is not None:
                    stream.flush()
            except (OSError, ValueError):  # Python itself says so
                raise end from None
        os._exit(end.code)
