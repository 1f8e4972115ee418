"""`qismc.repair`."""

from __future__ import annotations

from typing import Any

from qismc.api.checking import check
from qismc.language import Specification
from qismc.limits import SEARCH_SECONDS
from qismc.repairs import Repairs


def repair(
    program: Any,
    spec: Specification = None,
    *,
    limit: int = 5,
    pairs: bool = False,
    seconds: float | None = SEARCH_SECONDS,
    **options: Any,
) -> Repairs:
    """Edits after which a program satisfies its specification; options as in `qismc.check`.

    Nothing is suggested for a program whose formulas hold or could not be decided.
    """
    return check(program, spec, **options).repairs(limit, pairs=pairs, seconds=seconds)
