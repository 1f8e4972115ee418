"""Level orders: qubits that interact stand near each other, because bonds grow with what crosses a cut."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

import numpy as np

from qismc import _core
from qismc.program.operators import Operator
from qismc.program.program import Program
from qismc.program.statements import Apply, Channel, Initialize
from qismc.system.flow import crossings

FEWEST_ORDERED = 3
"""Two things are near each other in any order."""


def interactions(program: Program) -> Counter[tuple[int, ...]]:
    """The sets of qubits that gates act on together, and how often."""
    listed: dict[tuple[int, ...], int] = {}  # a plain one: there may be many gates
    for sets, qubits, count in _gates(program):
        for local in sets:
            together = _placed(local, qubits)
            listed[together] = listed.get(together, 0) + count
    found = Counter(listed)
    for point in crossings(program):
        statement = program.code[point]
        if isinstance(statement, Initialize):
            found.update(_placed(local, statement.qubits) for local in _joined(statement.preparation))
        elif isinstance(statement, Channel):
            found[tuple(sorted(statement.qubits))] += 1
    return found


def _gates(program: Program) -> Iterator[tuple[list[tuple[int, ...]], tuple[int, ...], int]]:
    """The different gates on several qubits, what they join, and how often: programs repeat few of them."""
    gates = [s for s in program.code if type(s) is Apply and len(s.qubits) > 1]
    operators = {id(operator): operator for operator, _ in gates}
    joined = {name: _joined(operator) for name, operator in operators.items()}
    counts = Counter([(id(operator), qubits) for operator, qubits in gates])
    return ((joined[name], qubits, count) for (name, qubits), count in counts.items())


def _joined(operator: Operator) -> list[tuple[int, ...]]:
    """The sets of local qubits that factors act on together."""
    found = [(*factor.targets, *(c for c, _ in factor.controls)) for factor in operator.factors]
    return [local for local in found if len(local) > 1]


def _placed(local: tuple[int, ...], qubits: tuple[int, ...]) -> tuple[int, ...]:
    if len(local) == 2:
        one, other = qubits[local[0]], qubits[local[1]]
        return (one, other) if one < other else (other, one)
    return tuple(sorted([qubits[k] for k in local]))


def level_order(program: Program, seed: int, *, natural: bool = False) -> list[int]:
    """order[k] is the qubit at level k."""
    own = len(program.own_qubits)
    natural = natural or own < FEWEST_ORDERED
    order = list(range(own)) if natural else program.once(("order", seed), lambda p: _near(p, seed))
    return beside_partners(program, [*order, *program.partners.values()])


def _near(program: Program, seed: int) -> list[int]:
    return order_of(len(program.own_qubits), interactions(program), seed)


def beside_partners(program: Program, order: list[int]) -> list[int]:
    """Every partner right behind its input: across a cut there is then what the program makes, no more."""
    partners = program.partners
    idle = set(partners.values())
    if not idle:
        return order
    return [level for q in order if q not in idle for level in ((q, partners[q]) if q in partners else (q,))]


def order_of(
    count: int, together: Mapping[tuple[int, ...], int], seed: int, method: str = "auto"
) -> list[int]:
    """An order of things 0 .. count-1 in which those that are often together stand near each other."""
    if count < FEWEST_ORDERED:
        return list(range(count))
    ends = np.cumsum([0, *(len(edge) for edge in together)], dtype=np.int32)
    joined = np.array([q for edge in together for q in edge], dtype=np.int32)
    weights = np.array(list(together.values()), dtype=np.float64)
    return [int(q) for q in _core.level_order(count, ends, joined, weights, seed=seed, method=method)]
