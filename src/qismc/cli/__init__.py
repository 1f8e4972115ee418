"""The command line: arguments in, reports and an exit status out."""

from qismc.cli.main import main

__all__ = ["main"]
