"""Gates on arrays of 2^n amplitudes, a block at a time, by the native core."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from qismc import _core
from qismc.common.lazily import cached_property
from qismc.engines.compiling import BlockCompiler
from qismc.engines.native_errors import native
from qismc.limits import Budget, Limits
from qismc.numbers import ComplexForm, NumberForm
from qismc.system import Application

Array = npt.NDArray[np.complex128]


class DenseBlocks:
    """Compiles and runs operators on arrays whose index has qubit 0 as its most significant digit."""

    def __init__(self, num_qubits: int, budget: Budget, form: NumberForm | None = None) -> None:
        self._num_qubits = num_qubits
        self._budget = budget
        self._form = form or ComplexForm()

    @property
    def limits(self) -> Limits:
        """What was asked for."""
        return self._budget.limits

    @cached_property
    def _space(self) -> _core.Space:
        return _core.Space("complex", self._num_qubits)

    @cached_property
    def _compiler(self) -> BlockCompiler:
        return BlockCompiler(self._space, self._form, range(self._num_qubits))

    @native
    def compile(self, applications: Sequence[Application]) -> _core.Block:
        return self._compiler.compile(applications)

    @native
    def run(self, block: _core.Block, state: Array) -> Array:
        """The image of a state."""
        self._budget.spend("applying gates")
        self._space.limits = _core.Limits(
            seconds=self._budget.remaining_seconds, memory_bytes=self.limits.memory_bytes
        )
        image: Array = self._space.run(block, self._space.array(state)).to_numpy()
        return image
