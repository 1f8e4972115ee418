"""A store as the user sees it: classical names with their values, worked out when somebody looks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from qismc.program.classical import Store
from qismc.program.program import Program


@dataclass(frozen=True, eq=False, repr=False)
class Values(Mapping[str, int]):
    """name -> value; long executions of programs with many variables share nothing but the store."""

    program: Program
    store: Store

    def __getitem__(self, name: str) -> int:
        variable = self.program.variables[name]
        if variable.hidden:
            raise KeyError(name)
        return variable.value(self.store)

    def __iter__(self) -> Iterator[str]:
        return (name for name, variable in self.program.variables.items() if not variable.hidden)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Values) and other.program is self.program and other.store == self.store:
            return True
        return isinstance(other, Mapping) and dict(self.items()) == dict(other.items())

    def __hash__(self) -> int:
        return hash(self.store)

    def __repr__(self) -> str:
        return repr(dict(self))
