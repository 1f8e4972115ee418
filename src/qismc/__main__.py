"""`python -m qismc` is `qismc`."""

from qismc.cli import main

if __name__ == "__main__":
    main(prog_name="qismc")
