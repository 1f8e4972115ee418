"""`qismc.equivalent`: does every execution of a program do to every input what a reference does?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from qismc.common import arguments
from qismc.common.watch import Watch
from qismc.equivalence.inputs import EVERY, prepared, telling_input
from qismc.equivalence.measured import REFUSED, ProgramComparison, with_advice
from qismc.equivalence.registers import Registers, compared_registers
from qismc.equivalence.sides import Side, sides
from qismc.errors import NoCompactForm, NumericDoubt, UsageError
from qismc.limits import Limits
from qismc.program import Apply, Branch, Leaf, Mark, Measure, Operator, Variable, read_program
from qismc.propositions import Prepared, SpanOf
from qismc.repairs import check
from qismc.results import Result
from qismc.system import crossed
from qismc.verdict import Verdict

FIXED = ("spec", "init", "props", "annotations", "faults", "certificate", "paths")
"""Options of `check` that a comparison chooses itself, or that make no sense for it."""
SAME = "AG (leaf -> reference)"
ENDS = "P=1 [F leaf]"
WITHOUT = "both without the measurements at their end"
DOUBTS = (NumericDoubt.kind, NoCompactForm.kind)
"""Kinds of reasons after which operators in floating point may tell."""


def equivalent(
    program: Any, reference: Any, on: Any = None, *, to: Any = None, bits: Any = None, **options: Any
) -> Result:
    """Does every execution of the program do to every input state what the reference does?

    `on` are the qubits of the input, the others start in |0>; the result is there as well, or on the qubits
    `to`. What becomes of all other qubits does not matter, nor does a global phase. Classical values are
    compared if the reference writes some, or `to` is empty; `bits` tells which registers of the program are
    which of the reference, where their names differ.
    """
    for name in FIXED:
        if name in options:
            raise UsageError(f"a comparison takes no {name}=")
    limits = options.get("limits")
    arguments.instance("limits", limits, Limits)
    with Watch(limits, guest=True) as watch:
        include = arguments.folders("include", options.pop("include", ()))
        own, other, notes = sides(_read(program, include), _read(reference, include), on, to)
        watch.stage = "the comparison"
        if other.gates is not None and own.outputs and bits is None:
            return _noted(_against_gates(own, other, options, watch.deadline), *notes)
        registers = compared_registers(own, other, bits)
        result = _by_gates(own, other, registers, options)
        result = result or ProgramComparison(own, other, registers, options, watch.deadline).result()
        return _noted(result, *notes, *registers.notes)


def _read(thing: Any, include: Sequence[str]) -> Any:
    """Files are read; whatever else stands for a program is left as it is."""
    return read_program(thing, include=include) if isinstance(thing, str | Path) else thing


def _by_gates(own: Side, other: Side, registers: Registers, options: dict[str, Any]) -> Result | None:
    """Circuits that end with the same measurements, if their gates are equivalent: so are they then."""
    pair = before_measuring(own, other, registers)
    if pair is None:
        return None
    against = f"compared with {other.program.name} {own.inputs_text}"
    found: Result | None = None
    if pair[1].gates is not None:
        found = _told(_asked(*pair, EVERY * len(own.inputs), options), against)
    if found is None or _may_settle(found, options):
        found = ProgramComparison(*pair, Registers(), options, exactly=found is None).agreement()
    return _noted(found, WITHOUT) if found is not None and found.verdict is Verdict.HOLDS else None


def _against_gates(own: Side, other: Side, options: dict[str, Any], deadline: float) -> Result:
    """The result at the end is one vector of the qubits and their partners."""

    def ask(letters: str) -> Result:
        return _asked(own, other, letters, options)

    everything = ask(EVERY * len(own.inputs))
    if _may_settle(everything, options):
        settled = ProgramComparison(own, other, Registers(), options, deadline, exactly=False).result()
        if settled.verdict is not Verdict.UNKNOWN:
            return settled
    if everything.verdict is not Verdict.VIOLATED:
        return _told(everything, f"compared with {other.program.name} {own.inputs_text}")
    told = telling_input(len(own.inputs), ask, lambda one: one.verdict is Verdict.VIOLATED, deadline)
    if told is None:
        return _told(everything, f"differs from {other.program.name}; inputs are shown beside their partners")
    letters, shown = told
    note = f"differs from {other.program.name}{own.input_text(letters)}"
    return _told(with_advice(shown, everything), note)


def _may_settle(result: Result, options: dict[str, Any]) -> bool:
    """Is there a doubt about numbers, and may floating point decide it?"""
    doubtful = result.verdict is Verdict.UNKNOWN and (result.reason or "").startswith(DOUBTS)
    asked = options.get("engine") == "exact" or any(options.get(name) for name in REFUSED)
    return doubtful and not asked


def _asked(own: Side, other: Side, letters: str, options: dict[str, Any]) -> Result:
    """The check against gates for one choice of letters, free qubits kept beside partners."""
    program, count, width = own.program, letters.count(EVERY), len(other.outputs)
    partners = tuple(range(program.num_qubits, program.num_qubits + count))
    gates = (*prepared(letters, other.entries, width), *(other.gates or ()))
    state = Prepared(width + count, gates)
    specification = {"same": SAME}
    if any(isinstance(statement, Branch) and statement.loop for statement in crossed(program)):
        specification["ends"] = ENDS
    props = {"reference": SpanOf((state,), (*own.outputs, *partners))}
    return check(program, specification, init=own.start(letters), props=props, **options)


def _told(result: Result, note: str) -> Result:
    """The result with one note instead of those about the start."""
    others = tuple(text for text in result.notes if not text.startswith("init "))
    return replace(result, notes=(note, *others))


def _noted(result: Result, *notes: str) -> Result:
    """The result with more notes."""
    return replace(result, notes=(*result.notes, *notes))


# --- measurements at the end --------------------------------------------------------------------------------

NOTHING = Operator("id", 1, ())
Places = frozenset[tuple[int, int]]
Records = dict[int, Places]
"""For each qubit of the result, the bits of compared registers that it is measured into."""


def before_measuring(own: Side, other: Side, registers: Registers) -> tuple[Side, Side] | None:
    """Both sides without their last measurements, if these are the same on both."""
    records = [_records(side, registers.of(k)) for k, side in enumerate((own, other))]
    if None in records or records[0] != records[1] or not records[0]:
        return None
    values = [[v.value(s.program.initial_store) for v in registers.of(k)] for k, s in enumerate((own, other))]
    return (_unmeasured(own), _unmeasured(other)) if values[0] == values[1] else None


def _records(side: Side, registers: Sequence[Variable]) -> Records | None:
    """None where a program does more than gates and, after them, at most one measurement of each qubit."""
    found: Records = {}
    done: set[int] = set()
    bits: set[int] = set()
    for statement in side.program.code:
        match statement:
            case Apply(_, qubits):
                if done & set(qubits):
                    return None
            case Measure(qubit, bit):
                if qubit in done or bit in bits or qubit not in side.outputs:
                    return None
                done.add(qubit)
                bits.add(bit)
                found[side.outputs.index(qubit)] = _places(registers, bit)
            case Mark() | Leaf():
                pass
            case _:
                return None
    return found


def _places(registers: Sequence[Variable], bit: int) -> Places:
    return frozenset((k, i) for k, v in enumerate(registers) for i, b in enumerate(v.bits) if b == bit)


def _unmeasured(side: Side) -> Side:
    """The points stay what they are: where a measurement stood, nothing happens."""
    code = [Apply(NOTHING, (s.qubit,)) if isinstance(s, Measure) else s for s in side.program.code]
    return replace(side, program=replace(side.program, code=code))
