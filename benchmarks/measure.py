"""One job, measured in the process that it is called in."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from qiskit import QuantumCircuit

import qismc
from benchmarks import circuits, graphs, texts
from benchmarks.expected import expected_verdict, load_with_qiskit
from benchmarks.fault import random_fault
from benchmarks.others import best_of
from benchmarks.row import Bounds, Job, Kind, Row, unanswered
from qismc.common.choices import Store, method_and_numbers
from qismc.common.process import peak_memory_mb
from qismc.ctl.evaluation import Evaluation
from qismc.edits.sampling import without_final_measurements
from qismc.errors import LimitReached, QismcError, Undecided
from qismc.faults.model import Faults
from qismc.language.parser import parse_formula
from qismc.limits import Limits
from qismc.program import Program, load, read_program
from qismc.program.statements import Measure
from qismc.results.result import Result
from qismc.stabiliser.codes import Codes
from qismc.stabiliser.gates import is_clifford
from qismc.stabiliser.places import Places
from qismc.verdict import Verdict

RECORDED = {"recorded": "AG (leaf -> recorded)"}
SEED = 1
"""Of what is recorded and of what is checked against it: then recorded states are used as they are."""


def measure(job: Job, bounds: Bounds) -> Row:
    """The row of a job; limits make it unknown, unreadable input makes it an error."""
    try:
        return replace(MEASURES[job.kind](job, bounds), family=job.family, size=job.size)
    except Undecided as doubt:
        return unanswered(job.name, "unknown", str(doubt))
    except MemoryError:
        return unanswered(job.name, "unknown", f"limit: more than {bounds.memory_mb:g} MB were needed")
    except QismcError as error:
        return unanswered(job.name, "error", str(error))


def warm_up() -> None:
    """Check something tiny, so that no row pays for modules and grammars that are loaded once."""
    circuit = QuantumCircuit(1)
    circuit.x(0)
    for end in ("|1>", "|0>"):  # a verdict of each kind: violations have modules of their own
        qismc.check(circuit, "AG (leaf -> end)", props={"end": end})
    load_text("OPENQASM 2.0;\nqreg q[1];\n")


def load_text(text: str) -> tuple[Program, dict[str, float]]:
    """The program in an OpenQASM text, by way of a file, with the times of both loaders."""
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "program.qasm"
        file.write_text(text, encoding="utf-8")
        return load_file(file)


def load_file(file: Path) -> tuple[Program, dict[str, float]]:
    """The program in a file, with the time that we and the time that Qiskit's own loader take."""
    start = time.perf_counter()
    program = load(file)
    seconds = {"load": time.perf_counter() - start}
    start = time.perf_counter()
    if load_with_qiskit(file) is not None:
        seconds["qiskit"] = time.perf_counter() - start
    return program, seconds


def _case(job: Job, bounds: Bounds, engine: str | None = None) -> Row:
    case: circuits.Case = getattr(circuits, job.construction)(**job.arguments)
    start = time.perf_counter()
    program = read_program(case.circuit)
    seconds = {"load": time.perf_counter() - start}
    chosen = engine or ("exact" if _measures(program) else _usual(program))
    result = _check(program, case.formulas, case.props, bounds, engine=chosen, faults=case.faults)
    return _row(_short(case.name), result, case.expected, seconds)


def _clifford(job: Job, bounds: Bounds) -> Row:
    return _case(job, bounds, engine="stabiliser")


def _text(job: Job, bounds: Bounds) -> Row:
    case: texts.TextCase = getattr(texts, job.construction)(**job.arguments)
    program, seconds = load_text(case.text)
    result = _check(program, case.formulas, case.props, bounds, store=case.store)
    return _row(case.name, result, case.expected, seconds)


def _graph(job: Job, _: Bounds) -> Row:
    start = time.perf_counter()
    case: graphs.GraphCase = getattr(graphs, job.construction)(**job.arguments)
    built = time.perf_counter()
    evaluation = Evaluation(case.graph, lambda atom, _: case.atoms[atom.name])  # type: ignore[union-attr]
    holds = evaluation.holds(parse_formula(case.formula))
    seconds = {"build": built - start, "fixpoint": 0.0, "check": time.perf_counter() - built}
    return Row(
        case.name,
        "holds" if holds else "violated",
        case.expected,
        locations=case.graph.size,
        edges=len(case.graph.targets),
        engine="ctl",
        seconds=seconds,
        peak_mb=peak_memory_mb(),
    )


def _clean(job: Job, bounds: Bounds) -> Row:
    """The clean program satisfies what was recorded at its own end."""
    program, seconds = load_file(Path(job.construction))
    clean = without_final_measurements(program)
    if _measures(clean):
        facts, seconds["record"] = _facts(program, bounds)
        return _row(job.name, _check(program, facts, {}, bounds, store="levels"), "holds", seconds)
    props, seconds["record"] = _recorded(clean, bounds)
    found = _compared(clean, clean, props, bounds)
    return _row(job.name, found, "holds", seconds)


def _faulty(job: Job, bounds: Bounds) -> Row:
    """The program with a random Pauli, checked against what the clean one recorded."""
    file = Path(job.construction)
    program, seconds = load_file(file)
    clean = without_final_measurements(program)
    fault = random_fault(clean, job.arguments["seed"])
    if _measures(clean):
        facts, seconds["record"] = _facts(program, bounds)
        return _row(
            job.name, _check(fault.edit.apply(program), facts, {}, bounds, store="levels"), None, seconds
        )
    props, seconds["record"] = _recorded(clean, bounds)
    found = _compared(fault.edit.apply(clean), clean, props, bounds)
    row = _row(job.name, found, None, seconds)
    return replace(row, expected=expected_verdict(file, clean, fault))


def _measures(program: Program) -> bool:
    """Do outcomes decide how the program goes on? Then the end is no state, but one for every outcome."""
    return any(isinstance(statement, Measure) for statement in program.code)


def _facts(program: Program, bounds: Bounds) -> tuple[dict[str, str], float]:
    """Whether all outcomes can be 0, and whether all can be 1."""
    start = time.perf_counter()
    shown = [name for name, variable in program.variables.items() if not variable.hidden]
    ones = {name: 2 ** len(program.variables[name].bits) - 1 for name in shown}
    values = {"zeros": dict.fromkeys(shown, 0), "ones": ones}
    formulas = {
        label: f"EF (leaf & {' & '.join(f'{name} == {value}' for name, value in chosen.items())})"
        for label, chosen in values.items()
    }
    result = _check(program, formulas, {}, bounds, store="levels").result
    facts = {r.name: r.spec if r else f"!{r.spec}" for r in result if r.verdict is not Verdict.UNKNOWN}
    if len(facts) < len(formulas):
        raise LimitReached(result.reason or "no fact could be recorded")
    return facts, time.perf_counter() - start


def _usual(clean: Program) -> str:
    """The engine of a circuit: Clifford circuits have one of their own, which `auto` takes."""
    return "auto" if is_clifford(clean) else "exact"


def _recorded(clean: Program, bounds: Bounds) -> tuple[dict[str, Any], float]:
    """sp at the end of the clean program, as a proposition: of Clifford circuits as a code."""
    start = time.perf_counter()
    seconds = bounds.seconds * (bounds.repeats + 1)  # its clock goes on while what it records is checked
    limits = Limits(seconds=seconds, memory_mb=bounds.memory_mb)
    model = qismc.Model(clean, limits=limits, seed=SEED)
    if is_clifford(clean):
        code = Places(clean, Codes(clean.num_qubits), model.init, model.budget).post("leaf")
        return {"recorded": code}, time.perf_counter() - start
    return {"recorded": model.sp("leaf")}, time.perf_counter() - start


def _compared(program: Program, clean: Program, props: Mapping[str, Any], bounds: Bounds) -> Checked:
    """A program checked against what the clean one recorded."""
    return _check(program, RECORDED, props, bounds, engine=_usual(clean), seed=SEED)


class Checked(NamedTuple):
    """The best of several checks, and its processor time."""

    result: Result
    cpu: float


def _check(
    program: Program,
    formulas: Mapping[str, str],
    props: Mapping[str, Any],
    bounds: Bounds,
    *,
    store: Store = "auto",
    engine: str = "exact",
    faults: Faults | None = None,
    seed: int | None = None,
) -> Checked:
    """By default trains decide: their figures are what most suites are about."""
    found: list[Checked] = []
    how: dict[str, Any] = {**method_and_numbers(engine, store)}

    def run() -> bool:
        fresh = replace(program)  # without what an earlier check found out about it
        start = time.process_time()
        result = qismc.check(
            fresh,
            dict(formulas),
            props=props,
            limits=_limits(bounds),
            **how,
            faults=faults,
            seed=seed,
        )
        found.append(Checked(result, time.process_time() - start))
        return True

    best_of(run, bounds.repeats)
    return min(found, key=lambda checked: checked.cpu)


def _limits(bounds: Bounds) -> Limits:
    return Limits(seconds=bounds.seconds, memory_mb=bounds.memory_mb)


def _row(name: str, checked: Checked, expected: str | None, seconds: Mapping[str, float]) -> Row:
    result = checked.result
    statistics = result.statistics
    return Row(
        name,
        result.verdict.value,
        expected,
        reason=result.reason,
        qubits=result.program.num_qubits,
        gates=result.gates,
        locations=result.locations,
        edges=result.edges,
        engine=result.engine,
        store=statistics.store,
        level_bits=statistics.level_bits or None,
        seconds={**seconds, **statistics.seconds, **_look(result)},
        cpu=checked.cpu,
        peak_mb=peak_memory_mb(),
        peak_nodes=statistics.engine.get("peak_nodes"),
        peak_bond=statistics.engine.get("peak_bond"),
    )


def _look(result: Result) -> dict[str, float]:
    """The time that the execution of the first violation takes when somebody looks at it, with its hints."""
    violated = next((one for one in result.results if one.verdict is Verdict.VIOLATED), None)
    if violated is None:
        return {}
    start = time.perf_counter()
    shown = violated.counterexample
    if shown is not None and len(shown):
        _ = shown.steps[-1], len(shown.hints)
    return {"look": time.perf_counter() - start}


def _short(name: str, width: int = 40) -> str:
    """Names with a long secret in the middle, cut there.

    >>> _short("bv-1000-" + "a" * 250 + "-broken-oracle")
    'bv-1000-aaaaaaaaaaaaaaa…aa-broken-oracle'
    """
    return name if len(name) <= width else f"{name[: width - 17]}…{name[-16:]}"


MEASURES: dict[Kind, Callable[[Job, Bounds], Row]] = {
    "case": _case,
    "text": _text,
    "graph": _graph,
    "clean": _clean,
    "faulty": _faulty,
    "quantity": _case,
    "clifford": _clifford,
}
