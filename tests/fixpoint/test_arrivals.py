"""Vectors that were forgotten come back as they were; how many are held does not depend on the program."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from qismc import Model, QuantumCircuit
from qismc.fixpoint import arrivals as arrivals_module
from qismc.fixpoint.arrivals import FEWEST, Arrival, Cuts, Memory, Packed
from qismc.fixpoint.post import Images
from qismc.fixpoint.pre import adjoint
from qismc.program.operators import single
from qismc.system.edges import Application
from qismc.system.explorer import At, Node

from ..strategies import toys
from ..toy import Toy

LENGTH = 200
WEIGHT = 2**16


class Counting:
    """Numbers instead of vectors: the image is the parent's number plus one."""

    def __init__(self) -> None:
        self.made = 0
        self.memory = Memory(self, self.image)  # type: ignore[arg-type]

    def bytes_of(self, _: int) -> int:
        return WEIGHT

    def image(self, _: Arrival, before: int | None) -> int:
        self.made += 1
        return 0 if before is None else before + 1

    def chain(self) -> list[Arrival]:
        """Arrivals that were held and left one after the other."""
        arrivals = [Arrival("start", self.memory)]
        self.memory.held[arrivals[0]] = 0
        self.memory.leave(arrivals[0])
        for number in range(1, LENGTH):
            arrivals.append(Arrival(number, self.memory, arrivals[-1]))
            self.memory.held[arrivals[-1]] = number
            self.memory.leave(arrivals[-1])
        return arrivals


def held(arrivals: list[Arrival], kept: Memory) -> list[int]:
    return [arrival.depth for arrival in arrivals if arrival in kept.held]


def test_every_so_many_th_is_held_beside_the_latest() -> None:
    counting = Counting()
    depths = held(counting.chain(), counting.memory)
    assert 0 in depths and depths[-FEWEST:] == list(range(LENGTH - FEWEST, LENGTH))
    assert len(depths) * WEIGHT <= arrivals_module.ROOM + WEIGHT  # the start is not counted
    assert (
        max(np.diff(depths)) <= 4 * LENGTH * WEIGHT / arrivals_module.ROOM
    )  # half of the room, strides double


def test_forgotten_ones_are_computed_from_the_nearest() -> None:
    counting = Counting()
    arrivals = counting.chain()
    apart = max(np.diff(held(arrivals, counting.memory)))
    for arrival in arrivals[::-7]:
        before = counting.made
        assert arrival.vector == arrival.depth
        assert counting.made - before < apart


def test_asking_along_a_chain_makes_each_once() -> None:
    counting = Counting()
    arrivals = counting.chain()
    assert [arrival.vector for arrival in arrivals] == list(range(LENGTH))
    assert counting.made < LENGTH


def test_what_is_pinned_stays() -> None:
    counting = Counting()
    arrivals = counting.chain()
    pinned = arrivals[1:50:3]
    assert [counting.memory.pin(arrival) for arrival in pinned] == [arrival.depth for arrival in pinned]
    assert arrivals[-1].vector == LENGTH - 1 and arrivals[77].vector == 77
    assert all(arrival in counting.memory.held for arrival in pinned)


@given(toy=toys())
def test_fixed_points_do_not_depend_on_the_room(toy: Toy) -> None:
    """Loops, branches and several vectors at a place, asked last station first."""
    plenty = Model(toy.circuit(), numbers="float").solved().posts.spread.places
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arrivals_module, "ROOM", 0)
        none = Model(toy.circuit(), numbers="float").solved().posts.spread.places
        for one, other in reversed(list(zip(plenty.values(), none.values(), strict=True))):
            for left, right in zip(one, other, strict=True):
                assert np.array_equal(left.vector, right.vector)


def test_a_long_program_holds_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrivals_module, "ROOM", 8_000)
    circuit = QuantumCircuit(2)
    for turn in range(300):
        circuit.ry(turn / 7, 0)
        circuit.swap(0, 1)
        circuit.reset(1)
    circuit.x(0)
    solved = Model(circuit, numbers="exact").solved()
    places = solved.posts.spread.places.values()
    bytes_held = sum(
        solved.engine.bytes_of(arrival.vector)
        for place in places
        for arrival in place
        if arrival in arrival.vectors.held
    )
    assert len(places) > 300 and bytes_held <= 2 * arrivals_module.ROOM


@pytest.mark.parametrize("kept", [0, 1, 5, 100, 300, 512])
def test_thin_arrays_come_back_as_they_were(kept: int) -> None:
    rng = np.random.default_rng(kept)
    vector = np.zeros(512, dtype=complex)
    vector[rng.choice(512, kept, replace=False)] = rng.normal(size=kept) + 1j
    held = arrivals_module.packed(vector)
    assert isinstance(held, Packed) == (kept <= 128)
    if isinstance(held, Packed):
        assert held.nbytes == 20 * kept and np.array_equal(held.unpacked(), vector)
        assert held.unpacked() is not held.unpacked()


def turning() -> QuantumCircuit:
    """A reset of a superposed qubit, then a coin that decides."""
    circuit = QuantumCircuit(2, 1)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.reset(0)
    circuit.h(0)
    circuit.measure(0, 0)
    circuit.x(1)
    return circuit


def followed(model: Model, reset: int, outcome: int) -> list[Arrival]:
    """One execution, by its choices."""
    solved = model.solved()
    explorer, engine = solved.explorer, solved.engine
    start = np.array([1, 0, 0, 0], dtype=complex)
    memory = Memory(engine, Images(explorer, engine, lambda _: start))
    trail = [Arrival(At(explorer.entry, explorer.entry.start), memory, seed=0)]
    for number, choices in ((0, (reset,)), (outcome, (0,))):
        hop = trail[-1].station.node.hops[number]
        target = explorer.target(hop)
        trail.append(Arrival(At(target, target.start), memory, trail[-1], hop, choices))
    return trail


@pytest.mark.parametrize("reset", [0, 1])
@pytest.mark.parametrize("outcome", [0, 1])
def test_states_follow_the_choices(reset: int, outcome: int) -> None:
    first, middle, last = followed(Model(turning(), numbers="float", keep_dead=True), reset, outcome)
    expected = np.zeros(4)
    expected[2 * outcome + reset] = 1  # qubit 0 is the leftmost letter
    assert abs(np.vdot(expected, last.vector)) == pytest.approx(np.linalg.norm(last.vector))
    assert np.linalg.norm(middle.vector) > 0
    assert last.chain() == [first, middle, last] and middle.choices == (reset,)
    assert last.vector is last.vector  # computed once


def test_cuts_separate_stations() -> None:
    node = Node(10, 20, 0)
    cuts = Cuts([5, 12, 15, 15, 30])
    assert [cuts.after(node, p) for p in (10, 12, 15)] == [At(node, 12), At(node, 15), None]
    assert [cuts.before(node, p) for p in (11, 13, 19)] == [None, At(node, 12), At(node, 15)]
    assert cuts.station_at_or_before(node, 11) == At(node, 10)
    assert cuts.station_at_or_before(node, 12) == At(node, 12)
    assert cuts.station_at_or_after(node, 12) == At(node, 12)
    assert cuts.station_at_or_after(node, 13) == At(node, 15)
    assert cuts.station_at_or_after(node, 16) == At(node, 19)


def test_adjoint_of_a_product() -> None:
    found = adjoint([Application(single("s", 1), (0,)), Application(single("rx", 1, 0.5), (1,))])
    bases = [(a.operator.factors[0].base.name, a.operator.factors[0].base.angles, a.qubits) for a in found]
    assert bases == [("rx", (-0.5,), (1,)), ("sdg", (), (0,))]
