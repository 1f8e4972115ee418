"""Level orders: qubits that interact stand near each other, because bonds grow with what crosses a cut."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from qismc import _core
from qismc.program.operators import Operator
from qismc.program.program import Program
from qismc.program.statements import Apply, Channel, Initialize


def interactions(program: Program) -> Counter[tuple[int, ...]]:
    """The sets of qubits that gates act on together, and how often."""
    found: Counter[tuple[int, ...]] = Counter()
    for operator, qubits, count in _gates(program):
        for together in _sets(operator, qubits):
            found[together] += count
    for statement in program.code:
        if isinstance(statement, Initialize):
            found.update(_sets(statement.preparation, statement.qubits))
        elif isinstance(statement, Channel):
            found[tuple(sorted(statement.qubits))] += 1
    return found


def _gates(program: Program) -> Iterator[tuple[Operator, tuple[int, ...], int]]:
    """The different gates on several qubits, and how often: long programs repeat few of them."""
    operators: dict[int, Operator] = {}
    counts: Counter[tuple[int, tuple[int, ...]]] = Counter()
    for statement in program.code:
        if isinstance(statement, Apply) and len(statement.qubits) > 1:
            operators[id(statement.operator)] = statement.operator
            counts[id(statement.operator), statement.qubits] += 1
    return ((operators[name], qubits, count) for (name, qubits), count in counts.items())


def _sets(operator: Operator, qubits: tuple[int, ...]) -> Iterable[tuple[int, ...]]:
    for factor in operator.factors:
        local = [*factor.targets, *(c for c, _ in factor.controls)]
        if len(local) > 1:
            yield tuple(sorted(qubits[k] for k in local))


def level_order(program: Program, seed: int, *, natural: bool = False) -> list[int]:
    """order[k] is the qubit at level k."""
    own = len(program.own_qubits)
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
    if count < 3:
        return list(range(count))
    ends = np.cumsum([0, *(len(edge) for edge in together)], dtype=np.int32)
    joined = np.array([q for edge in together for q in edge], dtype=np.int32)
    weights = np.array(list(together.values()), dtype=np.float64)
    return [int(q) for q in _core.level_order(count, ends, joined, weights, seed=seed, method=method)]
