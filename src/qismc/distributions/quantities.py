"""Outcomes and expectation values of a model: names, solved system and quantities put together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from qismc.common import arguments
from qismc.common.wording import plain_number
from qismc.ctl import Graph, Labels, Mask, evaluate
from qismc.deciders import SIMULATED_QUBITS
from qismc.distributions.final import LevelOutcomes, Table, distribution_at_the_end
from qismc.distributions.survey import StartForm, Survey, read_by, up_to
from qismc.errors import LimitReached, NumericDoubt, SpecError, UsageError
from qismc.language import parse_formula, syntax
from qismc.levels import ALWAYS, ControlGraph
from qismc.limits import NUMERIC_TRIAL, StoreGrows, Tolerance
from qismc.model import Model
from qismc.probability import (
    Estimate,
    Likelihood,
    Loop,
    Matrix,
    Outcomes,
    PauliSum,
    bound_text,
    expected_visits,
    read_observable,
)
from qismc.program import Branch, Goto, Program, Variable, measured_at_the_end, moment_of
from qismc.questions import is_classical, refuse_average
from qismc.stabiliser import Codes, Places
from qismc.symbolic import NotSymbolic
from qismc.system import next_point

# --- outcomes -----------------------------------------------------------------------------------------------


def outcomes(model: Model, registers: Sequence[str], at: str | int) -> Outcomes:
    """The joint distribution of some registers (default: all) at the first visit of a place."""
    model.budget.restart()
    if model.program.inputs:
        refuse_average("the distribution of outcomes")
    variables = _registers(model, registers)
    counted = _counted(model, variables, at)
    if counted is not None:
        return counted
    observed = sum({1 << bit for variable in variables for bit in variable.bits})
    model = read_by(model, observed) if at == "leaf" else up_to(model, at)
    found = _at_the_end(model, variables, observed) if at == "leaf" else None
    if found is not None and found.survey is None:
        return _listed(model, variables, at, found, loops=_certain_loops(model.program) or ())
    if found is not None and found.survey is not None:
        return _surveyed(found.survey, variables, at, found)
    survey = _told_apart(Survey.of(model, at, observed), at, observed)
    grouped = survey.grouped(variables)
    chances = {}
    for key in sorted(grouped):
        what = ", ".join(
            f"P({v.name} = {plain_number(value)})" for v, value in zip(variables, key, strict=True)
        )
        chances[key] = survey.arrivals.weight(grouped[key]).value(what)
    for vertex in survey.arrivals.hidden:  # possible, and 0 within the error
        chances.setdefault(survey.values(vertex, variables), 0.0)
    table = Table(dict(sorted(chances.items())), survey.arrivals.error)
    return _surveyed(survey, variables, at, table)


def _at_the_end(model: Model, variables: Sequence[Variable], observed: int) -> Table | None:
    """Off the states before the last measurements, or, where the explicit store grows, with that on levels.

    None where outcomes must be followed one by one.
    """
    levels = _level_outcomes(model, observed)
    if levels is None:
        return distribution_at_the_end(model, variables, observed)
    try:
        if model.store == "auto":
            found = distribution_at_the_end(model, variables, observed, NUMERIC_TRIAL)
            if found is None:
                with model.budget.trying(NUMERIC_TRIAL):
                    model.solved(observed)
            return found
    except StoreGrows:
        pass
    try:
        return levels.table(variables) or distribution_at_the_end(model, variables, observed)
    except (NotSymbolic, LimitReached):
        return distribution_at_the_end(model, variables, observed)


def _level_outcomes(model: Model, observed: int) -> LevelOutcomes | None:
    if model.store == "explicit" or model.faults is not None or model.engines.name not in ("auto", "exact"):
        return None
    if _certain_loops(model.program) is None:
        return None
    try:
        return LevelOutcomes(model, observed)
    except NotSymbolic:
        return None


def _told_apart(survey: Survey, at: str | int, observed: int) -> Survey:
    """The same with the angles of the program, where generic ones allow outcomes that numbers do not see.

    As in a check: angles that depend on each other make them impossible; those that are merely tiny stay.
    """
    if not (survey.arrivals.hidden and survey.solved.engine.assumed.tentative):
        return survey
    try:
        model = survey.model.agreeing(survey.solved.observed)
    except NumericDoubt:
        return survey
    return Survey.of(model, at, observed)


def _surveyed(survey: Survey, variables: Sequence[Variable], at: str | int, table: Table) -> Outcomes:
    loops = tuple(_loops(survey))
    return _listed(survey.model, variables, at, table, unfinished=survey.unfinished, loops=loops)


def _counted(model: Model, variables: Sequence[Variable], at: str | int) -> Outcomes | None:
    """The same by counting coins, where stabiliser groups are asked for or there are many qubits."""
    named = model.engines.name == "stabiliser"
    large = model.program.num_qubits > SIMULATED_QUBITS and model.store == "auto"
    if isinstance(at, int) or model.needs_graph or not (named or (model.engines.name == "auto" and large)):
        return None
    bits = sorted({bit for variable in variables for bit in variable.bits})
    survey = Places(model.program, Codes(model.program.num_qubits), model.init, model.budget)
    try:
        found = survey.distribution(at, bits)
    except NotSymbolic:
        return None
    table: dict[tuple[int, ...], Fraction] = {}
    for values, chance in found.items():
        store = sum(value << bit for bit, value in zip(bits, values, strict=True))
        key = tuple(variable.value(store) for variable in variables)
        table[key] = table.get(key, Fraction(0)) + chance
    likelihoods = {key: Likelihood.exactly(table[key]) for key in sorted(table)}
    error = max((likelihood.error for likelihood in likelihoods.values()), default=0.0)
    chances = {key: likelihood.low for key, likelihood in likelihoods.items()}
    return _listed(model, variables, at, Table(chances, error), unfinished=float(1 - sum(table.values())))


def _listed(
    model: Model,
    variables: Sequence[Variable],
    at: str | int,
    table: Table,
    *,
    unfinished: float = 0.0,
    loops: tuple[Loop, ...] = (),
) -> Outcomes:
    return Outcomes(
        model.program.name,
        tuple(variable.name for variable in variables),
        tuple(len(variable.bits) for variable in variables),
        {key: min(1.0, max(0.0, chance)) for key, chance in table.chances.items()},
        str(at),
        unfinished,
        loops,
        table.error,
    )


def _registers(model: Model, registers: Sequence[str]) -> list[Variable]:
    if registers:
        return [model.names.bits(syntax.Ref(name)) for name in dict.fromkeys(registers)]
    found = [variable for variable in model.program.variables.values() if not variable.hidden]
    if not found:
        raise SpecError(f"'{model.program.name}' has no classical registers", hint="measure something")
    return found


def _loops(survey: Survey) -> Iterator[Loop]:
    """The loops of the program text in its order; copies of one loop (in unrolled code) count together."""
    program = survey.model.program
    heads: dict[tuple[object, ...], tuple[int, set[int]]] = {}
    for vertex, station in enumerate(survey.arrivals.frames.stations):
        point = station.node.last
        if vertex not in survey.arrivals.until.decided and _enters(program, point, station.node.store):
            key = (program.sources[point],) if program.sources[point] is not None else (None, point)
            heads.setdefault(key, (point, set()))[1].add(vertex)
    for point, vertices in sorted(heads.values(), key=lambda head: head[0]):
        turns = max(
            expected_visits(row[k], vertices, Tolerance()) for k, row in enumerate(survey.arrivals.visits)
        )
        yield Loop(_loop_text(program, point), program.sources[point], turns)


def _certain_loops(program: Program) -> tuple[Loop, ...] | None:
    """The loops of unrolled code whose turns every execution makes; None if outcomes decide about turns."""
    heads = {point: statement for point, statement in enumerate(program.code) if statement.loop}
    if not heads:
        return ()
    guards = ControlGraph(program).region(program.entry).guards
    copies: dict[object, list[int]] = {}
    for point, statement in heads.items():
        if not isinstance(statement, Goto) or guards.get(point) != ALWAYS:
            return None
        copies.setdefault(program.sources[point] or point, []).append(point)
    return tuple(
        Loop(_loop_text(program, points[0]), program.sources[points[0]], float(len(points)))
        for points in copies.values()
    )


def _enters(program: Program, point: int, store: int) -> bool:
    """Is this the head of a loop whose body is entered with this store?"""
    statement = program.code[point]
    if isinstance(statement, Branch) and statement.loop:
        return next_point(program, point, store) == program.settle(statement.then)
    return isinstance(statement, Goto) and statement.loop


def _loop_text(program: Program, point: int) -> str:
    """The head; the copies of an unrolled `for` differ in the value of their variable."""
    text = program.text(point)
    return text.split(" = ")[0] if isinstance(program.code[point], Goto) else text


# --- expectation values -------------------------------------------------------------------------------------


def expectation(model: Model, observable: object, at: str | int, given: str | None) -> Estimate:
    """tr(observable rho) for the state at the first visit of a place, given that it comes there."""
    if model.program.inputs:
        refuse_average("an expectation value")
    terms = read_observable(observable, model.scope.at(moment_of(at)))
    if given is not None:
        arguments.text("given", given)
    condition = None if given is None else _condition(model, given)
    observed = 0 if condition is None else model.names.observed(condition)
    model.budget.restart()
    part = _part(model, at, observed, condition)
    if at == "leaf" and part is not model:
        terms = terms.dephased(measured_at_the_end(model.given_program))
    survey = Survey.of(part, at, observed)
    chosen = survey.goal if condition is None else _satisfying(survey, condition)
    vertices = [k for k in survey.arrivals.goals if chosen[survey.location(k)]]
    weight = survey.arrivals.weight(vertices).value("the probability of what is given")
    error = survey.error(terms.width)
    if weight <= error:
        raise _too_improbable(survey, chosen, f"'{at if given is None else given}'", error)
    matrices = {k: _matrix(survey, terms, k) for k in vertices}
    total = survey.arrivals.weight(vertices, matrices).matrix
    error = 2 * terms.norm * error / (weight - error)
    return Estimate(StartForm(total / weight, error).value("the expectation value"), error)


def _part(model: Model, at: str | int, observed: int, condition: syntax.Formula | None) -> Model:
    """What the expectation depends on: with fewer measurements at the end, other points have their names."""
    if at != "leaf":
        return up_to(model, at)
    parts = () if condition is None else syntax.subformulas(condition)
    names = {part.name for part in parts if isinstance(part, syntax.Atom)} - {"leaf"}
    program = model.given_program
    names_points = bool(names - program.variables.keys() or names & program.marks)
    return model if names_points else read_by(model, observed)


def _condition(model: Model, given: str) -> syntax.Formula:
    formula = parse_formula(given)
    model.names.check(formula)
    if not is_classical(formula, model.scope.props):
        raise SpecError(f"'{given}' is no classical condition", hint="as in c == 1 & d[0]")
    return formula


def _satisfying(survey: Survey, condition: syntax.Formula) -> Mask:
    """The locations at which a classical condition is true."""
    model, solved = survey.model, survey.solved
    labels = Labels(solved, model.names, model.simulation.replay(solved))
    return evaluate(condition, Graph(*solved.system.successor_arrays), labels)


def _too_improbable(survey: Survey, chosen: Mask, what: str, error: float) -> Exception:
    """Nothing can be expected of what never happens, nor of what numbers cannot tell from it."""
    if not survey.is_possible(chosen):
        return UsageError(f"{what} has probability 0, so nothing can be expected of it")
    return NumericDoubt(
        f"{what} has a probability below {bound_text(2 * error)}, too little to expect something of it"
    )


def _matrix(survey: Survey, terms: PauliSum, vertex: int) -> Matrix:
    """The observable on the frame of a vertex, at the point of the visit."""
    frames = survey.arrivals.frames
    engine = frames.engine
    block = engine.compile(survey.gates(vertex))
    basis = [engine.run(block, vector) for vector in frames.bases[vertex]]
    found = np.zeros((len(basis), len(basis)), dtype=complex)
    for term in terms.terms:
        block = engine.compile(term.applications)
        for j, vector in enumerate(basis):
            image = engine.run(block, vector)
            found[:, j] += term.coefficient * np.array([engine.inner(unit, image) for unit in basis])
    return found
