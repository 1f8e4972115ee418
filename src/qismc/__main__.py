"""`python -m qismc` is `qismc`."""

from qismc.cli import run

if __name__ == "__main__":
    run()
