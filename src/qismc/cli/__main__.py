"""`python -m qismc.cli` is `qismc`."""

from qismc.cli.main import main

main(prog_name="qismc")
