"""What runs for a minute in the gate and for hours in a soak."""

import os

DEPTH = 10 if os.environ.get("QISMC_HYPOTHESIS") == "deep" else 1
"""Examples of a soak's round, in units of the gate's."""
