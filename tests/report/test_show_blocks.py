"""Blocks against the bare transition system: nothing is lost, nothing is invented."""

from __future__ import annotations

from itertools import pairwise

import pytest

import qismc
from qismc import Model, QuantumCircuit, check
from qismc.common.wording import store_text
from qismc.errors import UsageError
from qismc.report.show_blocks import LABELS_SHOWN, Diagram, by_point, diagram
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


def coins(count: int) -> Diagram:
    """Every one kept, so that there are as many stores as combinations."""
    circuit = QuantumCircuit(1, count)
    for k in range(count):
        circuit.h(0)
        circuit.measure(0, k)
        with circuit.if_test((circuit.clbits[k], 1)):
            circuit.x(0)
            circuit.z(0)
    return qismc.Model(circuit).diagram()


def points(picture: Diagram, number: int) -> list[int]:
    block = picture.blocks[number]
    return [picture.system.location(location).point for run in block.runs for location in run]


def test_every_location_is_behind_one_block() -> None:
    picture = coins(4)
    folded, behind = by_point(picture)
    locations = [k for group in behind for block in group for run in block.runs for k in run]
    assert sorted(locations) == list(range(picture.system.num_locations))
    assert len(folded.blocks) == len(behind) < len(picture.blocks)


def test_blocks_are_told_apart_by_their_points() -> None:
    picture = coins(3)
    folded, behind = by_point(picture)
    wholes = [points(folded, k) for k in range(len(behind))]
    assert len({tuple(whole) for whole in wholes}) == len(wholes)
    for whole, members in zip(wholes, behind, strict=True):
        for block in members:
            assert points(picture, block.number) == whole


def test_arrows_are_those_of_the_members_joined() -> None:
    picture = coins(3)
    folded, behind = by_point(picture)
    number = {block.number: k for k, group in enumerate(behind) for block in group}
    expected = {(number[arrow.source], number[arrow.target]) for arrow in picture.arrows}
    assert {(arrow.source, arrow.target) for arrow in folded.arrows} == expected
    assert len(folded.arrows) == len(expected)
    for arrow in folded.arrows:
        labels = {
            one.label
            for one in picture.arrows
            if (number[one.source], number[one.target]) == (arrow.source, arrow.target)
        }
        assert set(arrow.label.split(", ")) - {""} == labels - {""}


def test_many_labels_are_counted() -> None:
    circuit = QuantumCircuit(3, 3)
    circuit.h(range(3))
    circuit.measure(range(3), range(3))
    with circuit.switch(circuit.cregs[0]) as case:
        with case(*range(LABELS_SHOWN + 2)):
            circuit.x(0)
        with case(case.DEFAULT):
            circuit.z(0)
    folded, _ = by_point(qismc.Model(circuit).diagram())
    labels = [arrow.label for arrow in folded.arrows]
    assert f"{LABELS_SHOWN + 2} ways" in labels
