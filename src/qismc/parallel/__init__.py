"""Independent pieces of work on processes."""

from qismc.parallel.runner import Inline, Lent, Runner, processes
