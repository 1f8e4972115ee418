"""The fixed-point routine on a hand-made graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from qismc.fixpoint.propagate import Families, Spread, WaysOut
from qismc.limits import Budget, Limits
from qismc.program.operators import PROJECT, RESET, single
from qismc.propositions.states import zeros
from qismc.system.edges import Application

from ..all_engines import make_engine

H = Application(single("h", 1), (0,))


class Ring:
    """One station whose only way out leads back to it."""

    def __init__(self, families: Families) -> None:
        self._families = families

    def leave(self, station: str) -> WaysOut:
        assert station == "round"
        return None, ["back"], [self._families]

    def families(self, way: str) -> Families:
        assert way == "back"
        return self._families

    def arrive(self, way: str) -> str:
        assert way == "back"
        return "round"


def spread(engine: str, make: Callable[[Any], tuple[tuple[Any, ...], ...]]) -> Spread:
    arena = make_engine(engine, 1)
    found = Spread(arena, Budget(Limits()), Ring(make(arena)))
    found.run([("round", zeros(arena))])
    return found


def test_a_rotation_fills_its_orbit(engine: str) -> None:
    found = spread(engine, lambda arena: ((arena.compile([H]),),))
    assert found.max_dimension == 2
    second = found.arrivals("round")[1]
    assert [link.seed for link in second.chain()] == [0, None]
    assert second.choices == (0,)


def test_zero_images_are_dropped(engine: str) -> None:
    found = spread(engine, lambda arena: ((arena.compile([Application(PROJECT[1], (0,))]),),))
    assert found.max_dimension == 1


def test_choices_name_the_operator_that_acted(engine: str) -> None:
    def families(arena: Any) -> tuple[tuple[Any, ...], ...]:
        flip = arena.compile([Application(single("x", 1), (0,))])
        return (flip,), tuple(arena.compile([Application(k, (0,))]) for k in RESET), (flip,)

    found = spread(engine, families)
    assert [a.choices for a in found.arrivals("round")] == [(), (0, 1, 0)]
