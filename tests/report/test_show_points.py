"""Systems folded by program point, against their locations."""

from __future__ import annotations

import qismc
from qismc import QuantumCircuit
from qismc.report.show_blocks import Diagram
from qismc.report.show_points import LABELS_SHOWN, by_point


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
    folded = by_point(picture)
    behind = [k for group in folded.members for block in group for run in block.runs for k in run]
    assert sorted(behind) == list(range(picture.system.num_locations))
    assert len(folded.picture.blocks) == len(folded.members) < len(picture.blocks)


def test_blocks_are_told_apart_by_their_points() -> None:
    picture = coins(3)
    folded = by_point(picture)
    wholes = [points(folded.picture, k) for k in range(len(folded.members))]
    assert len({tuple(whole) for whole in wholes}) == len(wholes)
    for whole, members in zip(wholes, folded.members, strict=True):
        for block in members:
            assert points(picture, block.number) == whole


def test_arrows_are_those_of_the_members_joined() -> None:
    picture = coins(3)
    folded = by_point(picture)
    number = {block.number: k for k, group in enumerate(folded.members) for block in group}
    expected = {(number[arrow.source], number[arrow.target]) for arrow in picture.arrows}
    assert {(arrow.source, arrow.target) for arrow in folded.picture.arrows} == expected
    assert len(folded.picture.arrows) == len(expected)
    for arrow in folded.picture.arrows:
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
    folded = by_point(qismc.Model(circuit).diagram())
    labels = [arrow.label for arrow in folded.picture.arrows]
    assert f"{LABELS_SHOWN + 2} ways" in labels
