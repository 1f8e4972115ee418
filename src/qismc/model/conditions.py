"""sp and wp of places in a program, as subspaces that other models and engines can compute again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import compress
from typing import TYPE_CHECKING

from qismc.engines import Engine, Vector
from qismc.errors import (
    ANGLES_AS_WRITTEN,
    TOO_SMALL,
    NumbersDisagree,
    NumericDoubt,
    SpecError,
    Unrecognised,
    suggestion,
)
from qismc.fixpoint import Solved
from qismc.model.records import Record
from qismc.program import LOCATION, Program
from qismc.propositions import Recorded, Recorder, Subspace, has_complement, note_all, proposition_text
from qismc.system import At, TransitionSystem, all_bits

if TYPE_CHECKING:
    from qismc.model.model import Model

Where = str | int
"""A mark, a built-in name, or the number of a location."""


class Conditions:
    """The strongest post-conditions and weakest pre-conditions of a model."""

    def __init__(self, model: Model) -> None:
        self._model = model

    def sp(self, where: Where, *, settling: bool = False) -> Subspace:
        """The span of the states that arrive; raises NumbersDisagree.

        `settling`: floating point may decide instead.
        """
        model = self._model
        numbered = isinstance(where, int) or LOCATION.match(where) is not None
        apart = numbered or model.annotated or model.options["keep_dead"]
        mask = all_bits(model.program) if apart else 0

        def arrived(solved: Solved) -> list[Vector]:
            found = places(model.program, where, solved.system)
            return [arrival.vector for place in found for arrival in solved.posts.at(*place)]

        if settling:
            model = model.agreeing(mask)
        solved = model.solved(mask) if settling else model.agreed(mask)
        single = len(places(model.program, where, solved.system)) == 1
        if settling and not single:
            model = _compared(model, mask, arrived)
            solved = model.solved(mask)
        sure = model.simulation.has_confirmed(solved) or not solved.engine.assumed.tentative
        text, independent = f"sp({where})", single and sure
        return model.conditions.subspace(text, mask, arrived, solved, independent=independent)

    def wp(self, where: Where) -> Subspace:
        """The states from which every annotation ahead is kept."""
        model = self._model

        def excluded(solved: Solved) -> list[Vector]:
            if solved.pres is None:
                return []
            found = places(model.program, where, solved.system)
            return [vector for place in found for vector in solved.pres.complement(*place)]

        mask = all_bits(model.program)
        model = model.agreeing(mask)
        if model.solved(mask).pres is not None:
            model = _compared(model, mask, excluded)
        text, solved = f"wp({where})", model.solved(mask)
        return model.conditions.subspace(text, mask, excluded, solved, complemented=True)

    def subspace(
        self,
        text: str,
        mask: int,
        states: Callable[[Solved], list[Vector]],
        solved: Solved,
        *,
        complemented: bool = False,
        independent: bool = False,
    ) -> Subspace:
        """The span of states of a solution, with the way to compute them by another engine."""
        model = self._model
        setting = model.setting
        given = [setting.init, *(subspace for _, subspace in setting.annotations)]
        at = [where for where, _ in setting.annotations]
        origin = f"{model.engines.identity} {text} {[proposition_text(p) for p in given]} {at}"

        def note(recorder: Recorder) -> None:
            if model.engines.settled is not None:
                raise Unrecognised(0, "a recorded subspace whose numbers were decided in floating point")
            note_all(model.program, given, recorder)

        def compute(engine: Engine) -> list[Vector]:
            again = model.solved_by(engine, mask)
            found = states(again)
            again.dissolve()
            return found

        own = states(solved)
        record = Record(
            model.program.num_qubits,
            f"{origin} {setting.paths}",
            model.annotated or has_complement(setting.init, expanded=True),
            model.engine,
            own,
            compute,
            note,
            independent,
        )
        kept = _independent(model.engine, own)
        recorded = tuple(Recorded(record, number) for number in range(len(own)))
        return Subspace(model.engine, kept, recorded, complemented)


def _compared(model: Model, mask: int, states: Callable[[Solved], list[Vector]]) -> Model:
    """The model; the one on floating point if the states span more or less there."""
    solved = model.solved(mask)
    if not solved.engine.assumed.tentative:
        return model

    def dimension(found: Solved) -> int:
        return len(_independent(found.engine, states(found)))

    with model.simulation.budget.whole():
        exact = dimension(solved)
        if exact == dimension(model.in_floating_point().solved(mask)):
            return model
        if not model.may_settle:
            raise NumbersDisagree("sp or wp has another dimension in floating point")
        moved = model.in_general_position()
        if moved is not None and exact != dimension(moved.in_floating_point().solved(mask)):
            raise NumericDoubt(TOO_SMALL, hint=ANGLES_AS_WRITTEN)
    return model.on_floats


def places(program: Program, where: Where, system: TransitionSystem) -> list[At]:
    """The locations of a system that a mark, a built-in name or a number means."""
    located = LOCATION.match(where) if isinstance(where, str) else None
    if isinstance(where, int) or located:
        number = where if isinstance(where, int) else int(located[1])  # type: ignore[index]
        if not 0 <= number < system.num_locations:
            raise SpecError(
                f"there is no location l{number}", hint=f"the last one is l{system.num_locations - 1}"
            )
        return [system.node_of(number)]
    if where == "init":
        return [system.node_of(0)]
    known = {"leaf", "loop", *program.marks}
    if where not in known:
        raise SpecError(f"unknown mark '{where}'", hint=suggestion(where, {*known, "init"}))
    return system.select(where)


def _independent(engine: Engine, vectors: Iterable[Vector]) -> list[Vector]:
    """Vectors with the same span of which none depends on those before it."""
    listed = list(vectors)
    return list(compress(listed, engine.span().add_all(listed)))
