"""Which qubits are basis states at the end of a program, and which classical bits tell which.

A measured qubit is |b> where b is the outcome. It stays so while only phases and controls act on it, and the
bit that holds b tells it until something else is written there.
"""

from __future__ import annotations

from qismc.program import Apply, Leaf, Measure, Program, Statement, keeps_basis
from qismc.system.flow import StraightRuns

Records = dict[int, int]
"""The position of the store that tells the value of a qubit."""


def records_at_the_end(program: Program) -> Records:
    """The qubits whose value the store tells on every way to the end; none without an end."""
    return program.once("records at the end", _records)


def _records(program: Program) -> Records:
    """The largest solution of the forward equations: a record counts where it arrives on all ways."""
    runs = program.once("runs", StraightRuns)
    graph = {start: (last, following) for start, last, following in runs.graph()}
    arriving: dict[int, Records] = {program.entry: {}}
    waiting, ends = [program.entry], dict[int, Records]()
    while waiting:
        start = waiting.pop()
        last, following = graph[start]
        records = dict(arriving[start])
        for statement in program.code[start : last + 1]:
            _pass(statement, records)
        if isinstance(program.code[last], Leaf):
            ends[last] = records
            continue
        for target in following:
            known = arriving.get(target)
            common = records if known is None else dict(known.items() & records.items())
            if common != known:
                arriving[target] = common
                waiting.append(target)
    return dict(set.intersection(*(set(found.items()) for found in ends.values()))) if ends else {}


def _pass(statement: Statement, records: Records) -> None:
    """What a statement leaves of the records, and what it adds."""
    if isinstance(statement, Apply):
        operator, qubits = statement
        for place, qubit in enumerate(qubits):
            if qubit in records and not keeps_basis(operator, place):
                del records[qubit]
        return
    for qubit in statement.qubits:
        records.pop(qubit, None)
    if statement.bits:
        for qubit in [q for q, bit in records.items() if bit in statement.bits]:
            del records[qubit]
    if isinstance(statement, Measure):
        records[statement.qubit] = statement.bit
