"""How numbers cross the border to the native core: fields as words, complex numbers as doubles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from qismc.scalars import COMPLEX, Scalars
from qismc.subspace.field import Element, FieldScalars


class NumberForm(Protocol):
    """A number system together with its native representation."""

    @property
    def kind(self) -> str: ...
    @property
    def prime(self) -> int: ...
    @property
    def formal(self) -> bool: ...
    @property
    def ring(self) -> Scalars[Any]: ...
    @property
    def fingerprint(self) -> tuple[object, ...]:
        """Equal for forms under which every number has the same image."""

    def pack(self, values: Sequence[Any], shape: tuple[int, ...]) -> npt.NDArray[Any]:
        """Numbers as an array for the native core."""

    def unpack(self, numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """A list of native numbers as an array of numbers of the ring."""


@dataclass(frozen=True)
class FieldForm:
    """Elements of F_p as one word, of F_p(i) as two."""

    ring: FieldScalars

    @property
    def kind(self) -> str:
        return "fp2" if self.ring.conjugating else "fp"

    @property
    def prime(self) -> int:
        return self.ring.p

    @property
    def formal(self) -> bool:
        return self.ring.formal

    @property
    def fingerprint(self) -> tuple[object, ...]:
        return self.ring.fingerprint

    def pack(self, values: Sequence[Element], shape: tuple[int, ...]) -> npt.NDArray[np.uint64]:
        if self.ring.conjugating:
            words = np.array([(v.re, v.im) for v in values], dtype=np.uint64)
            return words.reshape(*shape, 2)
        return np.array([v.re for v in values], dtype=np.uint64).reshape(shape)

    def unpack(self, numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
        pairs = numbers.tolist() if self.ring.conjugating else [(word, 0) for word in numbers.tolist()]
        found = np.empty(len(pairs), dtype=object)
        found[:] = [Element(self.ring.p, re, im) for re, im in pairs]
        return found


@dataclass(frozen=True)
class ComplexForm:
    """complex128."""

    kind: str = "complex"
    prime: int = 0
    formal: bool = False

    @property
    def ring(self) -> Scalars[Any]:
        return COMPLEX

    @property
    def fingerprint(self) -> tuple[object, ...]:
        return ("complex",)

    def pack(self, values: Sequence[complex], shape: tuple[int, ...]) -> npt.NDArray[np.complex128]:
        return np.array(values, dtype=np.complex128).reshape(shape)

    def unpack(self, numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return np.asarray(numbers, dtype=np.complex128)
