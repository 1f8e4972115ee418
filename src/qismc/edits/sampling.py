"""Edits drawn at random: the same seed draws the same edits of the same program, on any machine."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from qismc.common.arguments import shown, text
from qismc.edits.edit import Edit
from qismc.edits.kinds import KINDS, Room
from qismc.errors import UsageError, suggestion
from qismc.program import Measure, Program, fingerprint, rewritten

POINTS_LOOKED_AT = 300
"""Of longer programs so many points are drawn first, and then edits at these."""
EDITS_LOOKED_AT = 20_000
"""Of each kind; where there is more room, edits are drawn from the first so many at shuffled points."""


def check_kinds(kinds: Iterable[str]) -> tuple[str, ...]:
    """The kinds by name; raises UsageError for an unknown one."""
    if not isinstance(kinds, Iterable):
        raise UsageError(f"kinds is {shown(kinds)}; it must be a list of names")
    found = tuple(kinds)
    for kind in found:
        text("kinds", kind)
        if kind not in KINDS:
            hint = suggestion(kind, KINDS) or f"one of {', '.join(KINDS)}"
            raise UsageError(f"unknown kind of edit '{kind}'", hint=hint)
    return tuple(dict.fromkeys(found))


def drawn(program: Program, count: int, seed: int = 0, kinds: Sequence[str] = tuple(KINDS)) -> list[Edit]:
    """Up to `count` distinct edits in the order of the program, the kinds as evenly as there is room."""
    rng = random.Random(f"{fingerprint(program)} {seed}")
    points = list(range(len(program.code)))
    rng.shuffle(points)
    room = Room(program)
    shares = [_of_kind(room, kind, points[:POINTS_LOOKED_AT], rng) for kind in check_kinds(kinds)]
    chosen: list[Edit] = []
    while len(chosen) < count and any(shares):
        for share in shares:
            if share and len(chosen) < count:
                chosen.append(share.pop())
    order = {kind: k for k, kind in enumerate(KINDS)}
    return sorted(chosen, key=lambda edit: (edit.point, order[edit.kind], repr(edit)))


def _of_kind(room: Room, kind: str, points: Sequence[int], rng: random.Random) -> list[Edit]:
    """All edits of a kind, shuffled."""
    found: list[Edit] = []
    for point in points:
        found += KINDS[kind](room, point)
        if len(found) > EDITS_LOOKED_AT:
            break
    rng.shuffle(found)
    return found


def without_final_measurements(program: Program) -> Program:
    """The program without the run of measurements at its end, which nothing can read any more."""
    end = len(program.code) - 1
    while end > 0 and isinstance(program.code[end - 1], Measure):
        end -= 1
    return rewritten(program, dict.fromkeys(range(end, len(program.code) - 1), ()))
