"""The system as data, against the model's own lists."""

from __future__ import annotations

import json

import pytest

from qismc import Model
from qismc.report.show_json import to_data

from .programs import random_program


@pytest.mark.parametrize("seed", range(10))
def test_locations_and_edges_are_the_models(seed: int) -> None:
    model = Model(random_program(seed))
    data = json.loads(json.dumps(to_data(model.diagram())))
    assert [here["location"] for here in data["locations"]] == [here.name for here in model.locations]
    assert [here["statement"] for here in data["locations"]] == [here.text for here in model.locations]
    edges = {(int(e["source"][1:]), int(e["target"][1:])) for e in data["edges"]}
    assert edges == set(model.edges)
    assert sorted(name for block in data["blocks"] for name in block) == sorted(
        here["location"] for here in data["locations"]
    )


def test_outcomes_are_on_the_edges_of_measurements() -> None:
    model = Model(random_program(3))
    data = to_data(model.diagram())
    measured = {here["location"] for here in data["locations"] if here["statement"].startswith("measure")}
    assert {e["source"] for e in data["edges"] if e["outcomes"]} == measured
