"""Operators as the flat arrays that the native core takes: a whole block in one call."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt

from qismc import _core
from qismc.numbers import NumberForm
from qismc.program import Base
from qismc.system import Application, Layout, Stretch, layout_of


class BlockCompiler:
    """Compiles operators on qubits to gates on levels; each small matrix is made once."""

    def __init__(self, space: _core.Space, form: NumberForm, level_of: Sequence[int]) -> None:
        self._space = space
        self._form = form
        self._level_of = np.array(level_of, dtype=np.int32)
        self._matrices: dict[Base, npt.NDArray[Any]] = {}

    def compile(self, applications: Sequence[Application]) -> _core.Block:
        return self.placed(layout_for(applications))

    def placed(self, layout: Layout) -> _core.Block:
        """The block of operators whose places are known."""
        bases, known = layout.bases, self._matrices
        missing = [base for base in bases if base not in known]
        if missing:
            known.update(zip(missing, self._form.matrices(missing), strict=True))
        matrices = [known[base] for base in bases]
        sizes = np.array(list(accumulate(map(len, matrices), initial=0)), dtype=np.int64)
        entries = np.concatenate(matrices) if matrices else self._form.pack([], (0,))
        return self._space.place(layout, self._level_of, sizes, np.ascontiguousarray(entries))


def layout_for(applications: Sequence[Application]) -> Layout:
    """Of gates of a program it is made once."""
    return applications.layout if isinstance(applications, Stretch) else layout_of(applications)
