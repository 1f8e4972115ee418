"""A check that cannot fail is worth nothing: comparing with the reference must reveal seeded bugs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, find, settings
from hypothesis.errors import NoSuchExample

from qismc import Model
from qismc.fixpoint import pre
from qismc.program.operators import PROJECT
from qismc.program.statements import Measure, Reset
from qismc.system import edges
from qismc.system.edges import Application

from .. import strategies
from ..compare import agrees, places
from ..reference import Reference
from ..toy import Toy

SEARCH = settings(derandomize=True, database=None, deadline=None, phases=[Phase.generate])


def drop_second_kraus_operator(patch: pytest.MonkeyPatch) -> None:
    """A reset that forgets |0><1|."""
    patch.setattr(edges, "_reset", lambda qubit: ((Application(PROJECT[0], (qubit,)),),))


def forget_conjugation(patch: pytest.MonkeyPatch) -> None:
    """An adjoint that only reverses the order."""
    patch.setattr(pre, "adjoint", lambda applications: list(reversed(list(applications))))


def drop_an_outcome(patch: pytest.MonkeyPatch) -> None:
    """A measurement that never gives 1."""
    original = edges.outcomes
    patch.setattr(edges, "outcomes", lambda s: iter((0,)) if isinstance(s, Measure) else original(s))


def ignore_annotations_away_from_the_start(patch: pytest.MonkeyPatch) -> None:
    """Only l0 may be annotated."""
    from qismc.fixpoint import solving as solve

    original = solve._placed

    def placed(explorer: Any, annotations: Any) -> Any:
        entry = explorer.entry
        return (item for item in original(explorer, annotations) if item[0] == (entry, entry.start))

    patch.setattr(solve, "_placed", placed)


def swap_measured_store(patch: pytest.MonkeyPatch) -> None:
    """Outcomes are written to the store the wrong way round."""
    original = edges.next_store

    def wrong(statement: Any, store: int, outcome: int | None) -> int:
        flipped = 1 - (outcome or 0) if isinstance(statement, Measure) else outcome
        return original(statement, store, flipped)

    patch.setattr(edges, "next_store", wrong)


def reset_is_a_projection(patch: pytest.MonkeyPatch) -> None:
    """A reset that keeps |1>."""
    wrong = edges.families

    def families(statement: Any, outcome: int | None) -> Any:
        if isinstance(statement, Reset):
            return (tuple(Application(p, (statement.qubit,)) for p in PROJECT),)
        return wrong(statement, outcome)

    patch.setattr(edges, "families", families)


MUTATIONS = [
    drop_second_kraus_operator,
    forget_conjugation,
    drop_an_outcome,
    ignore_annotations_away_from_the_start,
    swap_measured_store,
    reset_is_a_projection,
]


def differs(toy: Toy) -> bool:
    """Does the model disagree with the reference, with an annotation at the end?"""
    bound = np.eye(2**toy.num_qubits, 1, dtype=complex)
    model = Model(
        toy.circuit(),
        numbers="float",
        annotations={"leaf": "|" + "0" * toy.num_qubits + ">"},
        paths="all",
        keep_dead=True,
    )
    reference = Reference(toy, None, {"leaf": bound}, "all")
    found = places(toy, model)
    if sorted(found) != sorted(reference.system):
        return True
    return any(
        not agrees(model.sp(k), reference.sp[place]) or not agrees(model.wp(k), reference.wp[place])
        for k, place in enumerate(found)
    )


def search(most: int = 100) -> Toy | None:
    try:
        return find(strategies.toys(), differs, settings=settings(SEARCH, max_examples=most))
    except NoSuchExample:
        return None


@pytest.mark.parametrize("mutate", MUTATIONS)
def test_seeded_bugs_are_caught(
    mutate: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    mutate(monkeypatch)
    assert search() is not None


def test_nothing_is_caught_without_a_bug() -> None:
    assert search(10) is None
