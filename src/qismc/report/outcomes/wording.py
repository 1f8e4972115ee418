"""How values, probabilities and turns are written, in all reports."""

from __future__ import annotations

from math import isinf

from qismc.common.wording import counted, plain_number
from qismc.probability import Loop, Outcomes, recognised

CONFIDENCE = 0.99


def key_text(outcomes: Outcomes, key: tuple[int, ...]) -> str:
    """`c = 2 (10)`: the value and its bits, the last bit of a register first."""
    parts = zip(outcomes.registers, outcomes.widths, key, strict=True)
    return ", ".join(f"{name} = {value_text(value, width)}" for name, width, value in parts)


def value_text(value: int, width: int) -> str:
    return str(value) if width == 1 else f"{plain_number(value)} ({value & ((1 << width) - 1):0{width}b})"


def fraction_text(value: float, error: float) -> str:
    """The recognised fraction, or nothing."""
    found = recognised(value, error)
    return "" if found is None or found.denominator == 1 else str(found)


def loop_text(loop: Loop) -> str:
    where = f"line {loop.source.line}: " if loop.source is not None else ""
    turns = "infinitely many" if isinf(loop.turns) else f"{loop.turns:.6g}"
    return f"{where}{loop.text}: {turns} turns expected"


def shots_text(outcomes: Outcomes) -> str:
    shots = outcomes.shots(CONFIDENCE)
    if isinf(shots):
        seen = any(outcomes.values())
        return "the rarest outcome is too improbable for shots" if seen else "no outcome is ever seen"
    verb = "sees" if shots == 1 else "see"
    return f"{counted(int(shots), 'shot')} {verb} the rarest outcome with {CONFIDENCE:.0%}"


def unfinished_text(outcomes: Outcomes) -> str:
    event = "never ends" if outcomes.at == "leaf" else f"never comes to {outcomes.at}"
    return f"{event}: {outcomes.unfinished:.6g}"
