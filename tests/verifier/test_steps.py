"""The checker's own steps agree with the solver's, statement by statement; bits read and written are true."""

from __future__ import annotations

import random
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from qismc.program import read_program
from qismc.program.program import Program
from qismc.program.statements import (
    Apply,
    Assign,
    Branch,
    Goto,
    Havoc,
    Initialize,
    Jump,
    Leaf,
    Mark,
    Measure,
    Reset,
    Switch,
)
from qismc.system.edges import ways as solver_ways
from qismc.verifier.steps import reads_and_writes, ways

from .programs import attempts, random_program

CLASSICAL = """OPENQASM 3.0;
include "stdgates.inc";
input uint[2] n;
qubit q;
bit[2] c;
uint[2] u = 1;
u = u + n;
switch (n) { case 1 { x q; } default { h q; } }
c[0] = measure q;
while (u > 0) {
  u = u - 1;
  if (c[0]) { break; }
  reset q;
}
"""


def all_programs() -> list[Program]:
    circuits = [read_program(circuit) for circuit in (attempts(), *map(random_program, range(10)))]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "classical.qasm"
        path.write_text(CLASSICAL, encoding="utf-8")
        return [*circuits, read_program(str(path))]


def test_every_kind_of_statement_is_met() -> None:
    kinds = {type(statement) for program in all_programs() for statement in program.code}
    assert kinds >= {Apply, Measure, Reset, Initialize, Assign, Havoc, Branch, Switch, Goto, Jump, Mark, Leaf}


@pytest.mark.parametrize("program", all_programs(), ids=lambda program: program.name)
def test_the_same_ways_out(program: Program) -> None:
    for point, statement in enumerate(program.code):
        if isinstance(statement, Jump):  # never the statement of a location
            continue
        for store in range(1 << program.store_width):
            own, other = ways(program, point, store), solver_ways(program, point, store)
            assert [(w.point, w.store) for w in own] == [(w.point, w.after(store)) for w in other]
            for mine, theirs in zip(own, other, strict=True):
                factors = [[[f.base for f in o.factors] for o, _ in family] for family in mine.families]
                assert factors == [[[f.base for f in o.factors] for o, _ in fam] for fam in theirs.families]
                assert [[q for _, q in fam] for fam in mine.families] == [
                    [q for _, q in fam] for fam in theirs.families
                ]


@pytest.mark.parametrize("program", all_programs(), ids=lambda program: program.name)
def test_bits_that_are_not_read_do_not_matter(program: Program) -> None:
    rng = random.Random(3)
    for point, statement in enumerate(program.code):
        if isinstance(statement, Apply):
            continue
        reads, writes = reads_and_writes(statement)
        store = rng.randrange(1 << program.store_width)
        other = store ^ (rng.randrange(1 << program.store_width) & ~reads)
        for one, two in zip(ways(program, point, store), ways(program, point, other), strict=True):
            assert one.point == two.point
            assert (one.store ^ two.store) & (writes | ~(store ^ other)) == 0
