"""Results as plain data, and its schema; the keys are an interface that other programs rely on."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from qismc.common.source import source_data
from qismc.common.version import VERSION
from qismc.common.wording import plain_number
from qismc.evidence import Execution, Hint, Step
from qismc.report.wording import asset, replaced_data
from qismc.results import FormulaResult, Result


def schema() -> dict[str, Any]:
    """The JSON schema of `qismc check --json` and `Result.to_json()`, shipped with the package."""
    found: dict[str, Any] = json.loads(asset("check.schema.json"))
    return found


def to_json(result: Result) -> dict[str, Any]:
    """One object per run."""
    statistics = result.statistics
    return {
        "qismc": VERSION,
        "program": result.program.name,
        "qubits": result.program.num_qubits,
        "gates": result.gates,
        "locations": result.locations,
        "edges": result.edges,
        "engine": result.engine,
        "seed": result.seed,
        "verdict": result.verdict.value,
        "reason": result.reason,
        "warnings": list(result.warnings),
        "notes": list(result.notes),
        "replaced": replaced_data(result.replaced),
        "soundness": None if result.soundness is None else asdict(result.soundness),
        "results": [_formula(r) for r in result.results],
        "findings": [_hint(finding) for finding in result.findings],
        **({} if result._suggestions is None else result._suggestions.to_json()),
        "stats": {
            "seconds": {"build": 0.0, "fixpoint": 0.0, "check": 0.0, **statistics.seconds},
            "peak_mb": statistics.peak_mb,
            "max_dimension": statistics.max_dimension,
            "method": result.method,
            "numbers": result.numbers,
            "store": statistics.store,
            "level_bits": statistics.level_bits,
            **statistics.engine,
        },
    }


def _formula(result: FormulaResult) -> dict[str, Any]:
    chance = result.probability
    likely = None if chance is None else {"low": chance.low, "high": chance.high, "error": chance.error}
    return {
        "name": result.name,
        "spec": result.spec,
        "verdict": result.verdict.value,
        "reason": result.reason,
        "probability": likely,
        "counterexample": None if result.counterexample is None else _execution(result.counterexample),
        "witness": None if result.witness is None else _execution(result.witness),
        "hints": [_hint(hint) for hint in result.hints],
        "warnings": list(result.warnings),
    }


def _hint(hint: Hint) -> dict[str, Any]:
    source = source_data(hint.source)
    return {"kind": hint.kind, "text": hint.text, "source": source, "steps": list(hint.steps)}


def _execution(execution: Execution) -> dict[str, Any]:
    return {
        "kind": execution.kind,
        "claim": execution.claim,
        "loop_start": execution.loop_start,
        "probability": execution.probability,
        "replayed": execution.replayed,
        "note": execution.note,
        "steps": [_step(step) for step in execution.steps],
        "further": [_execution(other) for other in execution.further],
        "children": [{"step": k, "evidence": _execution(child)} for k, child in execution.children],
    }


def _step(step: Step) -> dict[str, Any]:
    return {
        "location": step.location,
        "point": step.point,
        "statement": step.statement,
        "source": source_data(step.source),
        "store": {name: plain_number(value) for name, value in step.store.items()},
        "labels": list(step.labels),
        "state": step.state,
        "stabilisers": None if step.stabilisers is None else list(step.stabilisers),
        "probability": step.probability,
        "outcome": step.outcome,
        "relevant": step.relevant,
    }
