"""`qismc.equivalent`: does every execution of a program do to every input what a reference does?"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from qismc.check import check
from qismc.common import arguments
from qismc.common.defaults import completed
from qismc.common.watch import Watch
from qismc.equivalence.advice import with_advice
from qismc.equivalence.inputs import EVERY, prepared, telling_input
from qismc.equivalence.last import before_measuring
from qismc.equivalence.measured import Comparison
from qismc.equivalence.sides import Side, sides
from qismc.errors import UsageError
from qismc.limits import Limits
from qismc.program.statements import Branch
from qismc.result import Result
from qismc.subspace.propositions import SpanOf
from qismc.subspace.start import qubit_list
from qismc.subspace.states import Prepared
from qismc.system.columns import crossed
from qismc.system.edges import Application
from qismc.verdict import Verdict

FIXED = ("spec", "init", "props", "annotations", "faults", "certificate", "paths")
"""Options of `check` that a comparison chooses itself, or that make no sense for it."""
SAME = "AG (leaf -> reference)"
ENDS = "P=1 [F leaf]"


def equivalent(program: Any, reference: Any, on: Any = None, *, to: Any = None, **options: Any) -> Result:
    """Does every execution of the program do to every input state what the reference does?

    `on` are the qubits of the input, the others start in |0>; the result is there as well, or on the qubits
    `to`. What becomes of all other qubits, and of classical values, does not matter, nor does a global phase.
    """
    for name in FIXED:
        if name in options:
            raise UsageError(f"a comparison takes no {name}=")
    limits = options.get("limits")
    arguments.instance("limits", limits, Limits)
    with Watch(limits, guest=True) as watch:
        own, other = sides(program, reference, on, to)
        watch.stage = "the comparison"
        gates = other.gates
        if gates is not None:
            return _against_gates(own, other, gates, options, watch.deadline)
        return _by_gates(own, other, options) or Comparison(own, other, options, watch.deadline).result()


def assert_equivalent(program: Any, reference: Any, on: Any = None, **options: Any) -> Result:
    """For tests: raise PropertyViolated, an AssertionError with the report, unless the two are equivalent."""
    __tracebackhide__ = True
    result = equivalent(program, reference, on, **completed(options))
    result.raise_if_violated()
    return result


def _by_gates(own: Side, other: Side, options: dict[str, Any]) -> Result | None:
    """Circuits that end with the same measurements, if their gates are equivalent: so are they then."""
    pair = before_measuring(own, other)
    gates = None if pair is None else pair[1].gates
    if pair is None or gates is None:
        return None
    result = _asked(pair[0], gates, EVERY * len(own.inputs), options)
    note = f"compared with {other.program.name} on every input of {_names(own)}"
    note += ", both without the measurements at their end"
    return _noted(result, note) if result.verdict is Verdict.HOLDS else None


def _against_gates(
    own: Side, other: Side, gates: tuple[Application, ...], options: dict[str, Any], deadline: float
) -> Result:
    """The result at the end is one vector of the qubits and their partners."""

    def ask(letters: str) -> Result:
        return _asked(own, gates, letters, options)

    everything = ask(EVERY * len(own.inputs))
    if everything.verdict is not Verdict.VIOLATED:
        return _noted(everything, f"compared with {other.program.name} on every input of {_names(own)}")
    asked: dict[str, Result] = {}

    def differs(letters: str) -> bool:
        asked[letters] = ask(letters)
        return asked[letters].verdict is Verdict.VIOLATED

    letters = telling_input(len(own.inputs), differs, deadline)
    if letters is None:
        return _noted(
            everything, f"differs from {other.program.name}; inputs are shown beside their partners"
        )
    note = f"differs from {other.program.name} on the input |{letters}> of {_names(own)}"
    return _noted(with_advice(asked[letters], everything), note)


def _asked(own: Side, gates: tuple[Application, ...], letters: str, options: dict[str, Any]) -> Result:
    """The check for one choice of letters, free qubits kept beside partners."""
    program, count = own.program, letters.count(EVERY)
    partners = tuple(range(program.num_qubits, program.num_qubits + count))
    state = Prepared(len(letters) + count, (*prepared(letters), *gates))
    specification = {"same": SAME}
    if any(isinstance(statement, Branch) and statement.loop for statement in crossed(program)):
        specification["ends"] = ENDS
    props = {"reference": SpanOf((state,), (*own.outputs, *partners))}
    return check(program, specification, init=own.start(letters), props=props, **options)


def _names(own: Side) -> str:
    return qubit_list(own.program, own.inputs)


def _noted(result: Result, note: str) -> Result:
    """The result with one note instead of those about the start."""
    others = tuple(text for text in result.notes if not text.startswith("init "))
    return replace(result, notes=(note, *others))
