"""Verdicts written down so that another program can check them: places, edges, origins of vectors, labels.

`qismc.verifier` reads them. What it cannot check is not written: annotations, thresholds of probabilities,
angles that are no multiples of pi, floating point.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from qismc.certify.assurance import Soundness
from qismc.errors import UsageError
from qismc.fixpoint import Arrival, Solved
from qismc.language import Property, Quantum, syntax, to_text
from qismc.model import Model
from qismc.program import fingerprint
from qismc.propositions import KetSum, SpanOf, names_virtual
from qismc.questions import atoms_of, probabilities
from qismc.system import At
from qismc.verdict import Verdict

FORMAT = "qismc certificate 1"
Labelled = Mapping[tuple[Quantum, int], bool]


def check_writable(model: Model, properties: Iterable[Property]) -> None:
    """Raise UsageError if no certificate could be written, before anything is computed."""
    if model.setting.annotations:
        raise UsageError("certificates do not cover annotations")
    for wanted in properties:
        if any(part.bound not in ("=1", ">0") for part in probabilities(wanted.formula)):
            raise UsageError(f"certificates cover P=1 and P>0 only, not '{wanted.text}'")
        if any(names_virtual(atom, model.scope) for atom in atoms_of(wanted.formula)):
            raise UsageError(f"certificates name physical qubits, not virtual ones as '{wanted.text}' does")
    given = {"init": model.given_init} if model.given_init is not None else {}
    for name, meaning in {**given, **model.scope.props}.items():
        if not isinstance(meaning, str):
            kind = type(meaning).__name__
            raise UsageError(f"certificates hold subspaces as text, but '{name}' is a {kind}")
    if model.program.inputs:
        raise UsageError(
            "certificates do not cover 'any'", hint="write them for starts that are given by kets"
        )
    _start_text(model)


def _start_text(model: Model) -> str | None:
    """The start as kets on all qubits: the checker knows no others."""
    if model.given_init is None:
        return None
    init = model.setting.init
    if isinstance(init, SpanOf) and init.qubits in (None, tuple(range(model.program.num_qubits))):
        kets = [_ket(state) for state in init.states if isinstance(state, KetSum)]
        if len(kets) == len(init.states):
            return to_text(kets[0] if len(kets) == 1 else syntax.Span(tuple(kets)))
    raise UsageError("certificates need a start that is given by kets")


def _ket(state: KetSum) -> syntax.Ket:
    return syntax.Ket(tuple(syntax.Term(coefficient, letters) for coefficient, letters in state.terms))


class Decided(Protocol):
    """What a certificate says of a formula."""

    @property
    def name(self) -> str: ...
    @property
    def spec(self) -> str: ...
    @property
    def verdict(self) -> Verdict: ...


def certificate(
    model: Model,
    solved: Solved,
    labelled: Labelled,
    results: Iterable[Decided],
    assurance: Soundness | None,
) -> dict[str, Any]:
    """The certificate as plain data; raises UsageError where floating point or unknowns decided."""
    engine = solved.engine.exact
    if engine is None:
        raise UsageError("no certificate: floating point decided")
    if engine.formal or engine.assumed.tentative:
        raise UsageError("no certificate: some angles are no multiples of pi, or numbers were recognised")
    numbers = {id(node): number for number, node in enumerate(solved.system.nodes)}
    return {
        "format": FORMAT,
        "program": {"name": model.program.name, "fingerprint": fingerprint(model.given_program)},
        "specification": {
            "init": _start_text(model),
            "props": dict(model.scope.props),
            "paths": model.setting.paths,
        },
        "claims": [_claim(result) for result in results if result.verdict is not Verdict.UNKNOWN],
        "seed": model.seed,
        "primes": list(engine.primes if assurance is None else assurance.primes),
        "places": _places(solved, numbers),
        "labels": _labels(solved, labelled, numbers),
    }


def _claim(result: Decided) -> dict[str, str]:
    return {"name": result.name, "spec": result.spec, "verdict": result.verdict.value}


def _places(solved: Solved, numbers: Mapping[int, int]) -> list[dict[str, Any]]:
    spread = solved.posts.spread
    arrivals = [spread.arrivals(At(node, node.start)) for node in solved.system.nodes]
    places = {arrival: k for kept in arrivals for k, arrival in enumerate(kept)}
    return [
        {
            "points": [node.start, node.end],
            "store": hex(node.store),
            "live": hex(solved.explorer.live(node)),
            "vectors": [_origin(arrival, places, numbers) for arrival in kept],
            "ways": [numbers[id(hop.target)] if hop.taken else None for hop in node.hops],
        }
        for node, kept in zip(solved.system.nodes, arrivals, strict=True)
    ]


def _origin(arrival: Arrival, places: Mapping[Arrival, int], numbers: Mapping[int, int]) -> dict[str, Any]:
    if arrival.parent is None or arrival.way is None:
        return {"start": arrival.seed}
    node = arrival.parent.station.node
    return {
        "from": [numbers[id(node)], places[arrival.parent]],
        "way": node.hops.index(arrival.way),
        "choices": list(arrival.choices),
    }


def _labels(solved: Solved, labelled: Labelled, numbers: Mapping[int, int]) -> list[dict[str, Any]]:
    found = []
    for (atom, index), holds in labelled.items():
        node, point = solved.system.node_of(index)
        found.append({"subspace": to_text(atom), "at": [numbers[id(node)], point], "holds": holds})
    return found


def text_of(data: dict[str, Any]) -> str:
    """One JSON object, a line for each place and label."""
    lines = []
    for key, value in data.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            items = ",\n".join(f"  {json.dumps(item)}" for item in value)
            lines.append(f' "{key}": [\n{items}\n ]')
        else:
            lines.append(f' "{key}": {json.dumps(value)}')
    return "{\n" + ",\n".join(lines) + "\n}\n"
