"""`qismc.equivalent` and `qismc.assert_equivalent`."""

from __future__ import annotations

from typing import Any

from typing_extensions import Unpack

from qismc.api.options import CompareOptions, inside, takes
from qismc.api.result import Result
from qismc.common import arguments
from qismc.common.defaults import completed
from qismc.equivalence import equivalent as comparing


@takes(CompareOptions)
def equivalent(
    program: Any,
    reference: Any,
    on: Any = None,
    *,
    to: Any = None,
    bits: Any = None,
    **options: Unpack[CompareOptions],
) -> Result:
    """Does every execution of the program do to every input state what the reference does?

    `on` are the qubits of the input, the others start in |0>; the result is there as well, or on the qubits
    `to`. What becomes of all other qubits does not matter, nor does a global phase. Classical values are
    compared if the reference writes some, or `to` is empty; `bits` tells which registers of the program are
    which of the reference, where their names differ.
    """
    how = inside(options)
    explain = how.pop("explain", True)
    arguments.flag("explain", explain)
    decided = comparing.equivalent(program, reference, on, to=to, bits=bits, **how)
    return Result.of(decided, explain=explain)


@takes(CompareOptions)
def assert_equivalent(
    program: Any,
    reference: Any,
    on: Any = None,
    *,
    to: Any = None,
    bits: Any = None,
    **options: Unpack[CompareOptions],
) -> Result:
    """For tests: raise PropertyViolated, an AssertionError with the report, unless the two are equivalent."""
    __tracebackhide__ = True
    result = equivalent(program, reference, on, to=to, bits=bits, **completed(options))
    result.raise_if_violated()
    return result
