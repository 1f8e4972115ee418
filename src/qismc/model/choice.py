"""The engines by name, and which one `auto` means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from qismc.common.choices import ENGINES as NAMES
from qismc.common.lazily import cached_property
from qismc.engines import SMALL, SMALL_ENOUGH, DenseEngine, Engine, ExactEngine, NativeEngine, level_order
from qismc.errors import Unrecognised, UsageError, suggestion
from qismc.limits import Budget, Tolerance
from qismc.numbers import ComplexForm, FieldForm, FieldScalars, Needs, SizeScalars
from qismc.program import Program
from qismc.propositions import Proposition, UnrecognisedAt, needs_of


@dataclass(frozen=True)
class Numbers:
    """What a field must offer for a check, and how large the numbers are: the same for every prime."""

    needs: Needs
    sizes: SizeScalars


@dataclass
class EngineTask:
    """What an engine is made for: the program, the numbers that occur, limits, seeds."""

    program: Program
    propositions: list[Proposition]
    budget: Budget
    seed: int = 0
    natural_order: bool = False
    conjugating: bool = True
    """Will conjugates of computed vectors be needed (orthogonality, weakest pre-conditions)?"""
    careful: bool = False
    """Should random points decide only where there is no other way?"""
    order_seed: int = 0
    """Seeds the search for an order of the qubits, on which no answer depends."""
    given_order: Sequence[int] = ()
    """An order of the qubits that was found before, or guessed; () to search for one."""
    tolerance: Tolerance | None = None
    """What floating point takes for zero, if not the usual."""
    numbers: dict[tuple[Proposition, ...], Numbers] = field(default_factory=dict)
    """Filled by each task with what it found out about numbers, for further tasks about the same program."""

    @cached_property
    def order(self) -> Sequence[int]:
        return self.given_order or level_order(self.program, self.order_seed, natural=self.natural_order)


@dataclass(frozen=True)
class Choice:
    """An engine and, where `auto` had to give up exactness, why."""

    engine: Engine
    note: str | None = None


def exact_engine(task: EngineTask) -> Engine:
    """Trains over a finite field that has an image of every number; raises UnrecognisedAt."""
    numbers = _numbers(task)
    try:
        needs = numbers.needs
        twins = needs.want_twins and not task.conjugating and not task.careful
        ring = FieldScalars(needs, task.seed, conjugating=task.conjugating, twins=twins)
    except Unrecognised as error:
        raise UnrecognisedAt(error.what, "in this check") from None
    native = NativeEngine(FieldForm(ring), task.order, task.budget, seed=task.seed)
    return ExactEngine(native, sizes=numbers.sizes, careful=task.careful)


def _numbers(task: EngineTask) -> Numbers:
    asked = tuple(task.propositions)
    found = task.numbers.get(asked)
    if found is None:
        needs = needs_of(task.program, asked)
        found = task.numbers[asked] = Numbers(needs, SizeScalars(needs))
    return found


def float_engine(task: EngineTask) -> Engine:
    """Dense floating-point vectors, or trains where there are too many qubits."""
    if task.program.num_qubits <= (SMALL if task.tolerance is None else SMALL_ENOUGH):
        return DenseEngine(task.program.num_qubits, task.budget, task.tolerance)
    return NativeEngine(ComplexForm(), task.order, task.budget, seed=task.seed, tolerance=task.tolerance)


ENGINES: dict[str, Callable[[EngineTask], Engine]] = {"exact": exact_engine, "float": float_engine}


def choose_engine(name: str, task: EngineTask) -> Choice:
    """The engine of that name for a task; `auto` is exact wherever the numbers are recognised.

    So is `stabiliser`, for what stabiliser groups cannot decide.
    """
    if name not in NAMES:
        raise UsageError(
            f"unknown engine '{name}'", hint=suggestion(name, NAMES) or f"one of {', '.join(NAMES)}"
        )
    try:
        return Choice(ENGINES[name if name in ENGINES else "exact"](task))
    except UnrecognisedAt as problem:
        reason = f"{problem.what} {problem.where} has no exact form that we know"
        if name == "exact":
            raise UsageError(
                f"the exact engine cannot be used: {reason}", hint="leave the numbers on auto, or use float"
            ) from None
        return Choice(float_engine(task), f"floating point was used: {reason}")
