"""Independent pieces of work on processes, each with limits that hold, and lost ones tried again.

Nothing here knows what the work is.
"""

from qismc.parallel.runner import Inline, Lent, Runner, processes
