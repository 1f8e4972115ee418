"""How states, numbers and executions are written, in all reports."""

from __future__ import annotations

import io
import linecache
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from rich.console import Console, RenderableType

from qismc.common.source import source_data
from qismc.common.wording import chance_text, counted
from qismc.evidence import Execution
from qismc.program import Program
from qismc.propositions import WRITTEN_AS_POWER, Replaced, Term, amplitude_text, ket_text, number_text

PLAIN_WIDTH = 100
POINTING = ("cause", "contrast", "parting", "fault")
"""The kinds of hints that point at single steps."""
CERTAIN = 1e-9
"""Probabilities that near to 1 are not worth a word."""


@cache
def asset(name: str) -> str:
    """A file that pages are made of."""
    return files("qismc.report").joinpath("assets").joinpath(name).read_text(encoding="utf-8")


def plain_text(report: RenderableType, width: int = PLAIN_WIDTH) -> str:
    """A report for a terminal without its colours."""
    stream = io.StringIO()
    Console(file=stream, width=width, no_color=True, highlight=False).print(report)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())


def cut(text: str, letters: int) -> str:
    """A text, or its first letters."""
    return text if len(text) <= letters else text[: letters - 1] + "…"


def lines_of(program: Program, file: str) -> Sequence[str]:
    """The lines of a file that statements of a program come from; none where it cannot be read."""
    return program.lines.get(file) or linecache.getlines(file)


def headline(execution: Execution) -> str:
    """What an execution shows, and how probable it is."""
    text = execution.claim or "an execution"
    if execution.probability is not None:
        upto = "" if execution.loop_start is None else " of one turn"
        text += f"{_reached(execution)}, probability{upto} {chance_text(execution.probability)}"
    if execution.note and execution.steps and not is_endless(execution):
        text += f" ({execution.note})"
    return text


def is_endless(execution: Execution) -> bool:
    """Is it a lasso that executions take? Its note is then about its turns."""
    return execution.loop_start is not None and execution.replayed


def _reached(execution: Execution) -> str:
    """How probable it is to come to the loop of a lasso."""
    chance = None if execution.loop_start is None else execution.steps[execution.loop_start].probability
    if chance is None or chance > 1 - CERTAIN:
        return ""
    return f", reached with probability {chance_text(chance)}"


def replaced_notes(
    replaced: Sequence[Replaced], *, everything: bool = False, more: str = "--verbose"
) -> list[str]:
    """The number that was changed most on reading, and how many there are besides; or all of them."""
    lines = [str(number) if number.source is None else f"{number} ({number.source})" for number in replaced]
    if everything or len(replaced) < 2:
        return lines
    first = max(range(len(replaced)), key=lambda k: replaced[k].difference)
    return [f"{lines[first]}, and {counted(len(replaced) - 1, 'other number')} nearer ({more} lists them)"]


def replaced_data(replaced: Sequence[Replaced]) -> list[dict[str, Any]]:
    """One object per number; those that are not real are texts."""
    return [
        {
            "source": source_data(number.source),
            "written": number_text(written) if (written := complex(number.written)).imag else written.real,
            "read": number.read,
            "difference": number.difference,
        }
        for number in replaced
    ]


EQUAL = 1e-9
TERMS_NAMED = 4
"""Of many terms with one amplitude so many are written."""


@dataclass(frozen=True)
class KetRegisters:
    """Which letters of a ket are shown, group by group; no groups means all letters together."""

    names: tuple[str, ...] = ()
    groups: tuple[tuple[int, ...], ...] = ()
    hidden: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The order of the letters."""
        order = "qubit 0 first" if len(self.groups) < 2 else " ".join(self.names)
        return order + (f"; without {', '.join(self.hidden)}" if self.hidden else "")

    def letters(self, bits: str) -> str:
        """The letters of a ket.

        >>> KetRegisters(("a", "b"), ((0, 1), (2,))).letters("011")
        '01 1'
        """
        return " ".join("".join(bits[q] for q in group) for group in self.groups) if self.groups else bits

    def text(self, terms: Sequence[Term], left_out: int = 0) -> str:
        """A sum of kets; an amplitude that all terms share up to a phase is written once.

        >>> KetRegisters().text([("00", 0.5**0.5), ("11", 1j * 0.5**0.5)])
        'sqrt(1/2) (|00> + i |11>)'
        """
        named = [(self.letters(bits), amplitude) for bits, amplitude in terms]
        count = len(named) + left_out
        if count < 2 or left_out < 0 or not _are_equal(named, count):
            return ket_text(named, left_out)
        size = amplitude_text(abs(named[0][1])).strip()
        phases = [(letters, amplitude / abs(amplitude)) for letters, amplitude in named]
        if left_out == 0:
            return f"{size} ({ket_text(phases)})"
        return f"{_count_text(count)} terms of {size}: {ket_text(phases[:TERMS_NAMED])} + ..."


def _are_equal(terms: Sequence[Term], count: int) -> bool:
    """Have all terms, those that are left out as well, amplitudes of one size?"""
    size = abs(terms[0][1])
    alike = all(abs(abs(amplitude) - size) < EQUAL * size for _, amplitude in terms)
    return alike and math.isclose(count * size**2, 1, rel_tol=EQUAL)


def _count_text(count: int) -> str:
    """Large powers of two as such.

    >>> _count_text(256), _count_text(1 << 40)
    ('256', '2^40')
    """
    power = count.bit_length() - 1
    return f"2^{power}" if power >= WRITTEN_AS_POWER and count == 1 << power else str(count)


def registers_of(execution: Execution) -> KetRegisters:
    """The registers of an execution's program, where they are parts of the ket one after the other."""
    program = None if execution.track is None else execution.track.program
    if program is None or not _follow_each_other(program):
        return KetRegisters()
    used = _used(program)
    kets = [bits for step in execution.steps for bits, _ in step.terms or ()]
    hidden = [n for n, qubits in program.quantum_registers.items() if _is_idle(qubits, used, kets)]
    shown = {n: qubits for n, qubits in program.quantum_registers.items() if n not in hidden}
    if not shown:
        return KetRegisters()
    return KetRegisters(tuple(shown), tuple(shown.values()), tuple(hidden))


def _follow_each_other(program: Program) -> bool:
    qubits = [q for register in program.quantum_registers.values() for q in register]
    return qubits == list(range(program.num_qubits))


def _used(program: Program) -> set[int]:
    return {qubit for statement in program.code for qubit in statement.qubits}


def _is_idle(qubits: Sequence[int], used: set[int], kets: Iterable[str]) -> bool:
    """Nothing acts on them, and they always have the same letters."""
    return used.isdisjoint(qubits) and len({tuple(bits[q] for q in qubits) for bits in kets}) < 2
