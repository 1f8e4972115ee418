"""How many examples: a minute of them in the gate, more in a soak's round."""

from __future__ import annotations

import os

DEPTH = 10 if os.environ.get("QISMC_HYPOTHESIS") == "deep" else 1
"""In units of the gate's; loaded after the soak has said that it is one."""
