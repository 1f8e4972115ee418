"""Operators as the flat arrays that the native core takes: a whole block in one call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from qismc import _core
from qismc.program.gates import base_matrix
from qismc.program.operators import Base
from qismc.subspace.forms import NumberForm
from qismc.system.edges import Application


class BlockCompiler:
    """Compiles operators on qubits to gates on levels; each small matrix is made once."""

    def __init__(self, space: _core.Space, form: NumberForm, level_of: Sequence[int]) -> None:
        self._space = space
        self._form = form
        self._level_of = level_of
        self._matrices: dict[Base, npt.NDArray[Any]] = {}

    def compile(self, applications: Sequence[Application]) -> _core.Block:
        levels = self._level_of
        controls, values, control_ends = list[int](), list[int](), [0]
        targets, target_ends = list[int](), [0]
        numbers: dict[Base, int] = {}
        chosen = list[int]()
        for operator, qubits in applications:
            for factor in operator.factors:
                for control, value in factor.controls:
                    controls.append(levels[qubits[control]])
                    values.append(value)
                control_ends.append(len(controls))
                targets += [levels[qubits[t]] for t in factor.targets]
                target_ends.append(len(targets))
                chosen.append(numbers.setdefault(factor.base, len(numbers)))
        matrices = [self._matrix(base) for base in numbers]
        sizes = np.cumsum([0, *(len(m) for m in matrices)], dtype=np.int64)
        entries = np.concatenate(matrices) if matrices else self._form.pack([], (0,))
        return self._space.compile(
            np.array(control_ends, dtype=np.int32),
            np.array(controls, dtype=np.int32),
            np.array(values, dtype=np.uint8),
            np.array(target_ends, dtype=np.int32),
            np.array(targets, dtype=np.int32),
            np.array(chosen, dtype=np.int32),
            sizes,
            np.ascontiguousarray(entries),
        )

    def _matrix(self, base: Base) -> npt.NDArray[Any]:
        if base not in self._matrices:
            rows = base_matrix(base, self._form.ring)
            flat = [entry for row in rows for entry in row]
            self._matrices[base] = self._form.pack(flat, (len(flat),))
        return self._matrices[base]
