"""Blocks against the bare transition system: nothing is lost, nothing is invented."""

from __future__ import annotations

from itertools import pairwise

import pytest

from qismc import Model, QuantumCircuit, check
from qismc.common.wording import store_text
from qismc.errors import UsageError
from qismc.report.show_blocks import Diagram, diagram
from qismc.system.transition import Backdrop

from .programs import random_program


def edges_of(picture: Diagram) -> set[tuple[int, int]]:
    """The edges that a reader of the picture sees."""
    inside = {edge for block in picture.blocks for edge in pairwise(block.locations)}
    ends = {(a.source, a.target) for a in picture.arrows}
    blocks = picture.blocks
    return inside | {(blocks[a].runs[-1][-1], blocks[b].runs[0][0]) for a, b in ends}


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("paths", ["feasible", "all"])
def test_a_picture_has_the_locations_and_edges_of_the_system(seed: int, paths: str) -> None:
    model = Model(random_program(seed), paths=paths)
    picture = model.diagram()
    shown = [index for block in picture.blocks for index in block.locations]
    assert sorted(shown) == list(range(len(model.locations)))
    assert edges_of(picture) == set(model.edges)


@pytest.mark.parametrize("seed", range(10))
def test_folded_rows_cover_each_location_once(seed: int) -> None:
    picture = Model(random_program(seed)).diagram()
    for block in picture.blocks:
        covered = [k for row in picture.rows(block) for k in (row.first, row.last)]
        unfolded = [row.first for row in picture.rows(block, fold=False)]
        assert unfolded == list(block.locations)
        assert covered[0] == unfolded[0]
        assert covered[-1] == unfolded[-1]


def test_long_runs_of_gates_become_one_row() -> None:
    circuit = QuantumCircuit(1)
    for _ in range(9):
        circuit.h(0)
    picture = Model(circuit).diagram()
    (block,) = (b for b in picture.blocks if b.kind != "leaf" or len(list(b.locations)) > 1)
    texts = [row.text for row in picture.rows(block)]
    assert texts[0] == "9 gates: h h h h h …"


def test_values_that_nobody_reads_again_are_dashes() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.x(0)
    merged = diagram(check(circuit, "EF leaf")._backdrop)
    stores = {store_text(block.store) for block in merged.blocks}
    assert stores == {"c=-", "c=0", "c=1"}
    kept = {store_text(block.store) for block in Model(circuit, keep_dead=True).diagram().blocks}
    assert kept == {"c=0", "c=1"}


def test_arrows_carry_outcomes_and_conditions() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.x(0)
    assert sorted(a.label for a in Model(circuit).diagram().arrows if a.label) == ["0", "1", "false", "true"]


def test_without_a_system_there_is_nothing_to_draw() -> None:
    with pytest.raises(UsageError, match="no transition system"):
        diagram(Backdrop())
