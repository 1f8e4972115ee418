"""Programs that end earlier: at the first visit of a mark."""

from __future__ import annotations

from qismc.program.program import Program
from qismc.program.rewriting import Piece, rewritten
from qismc.program.statements import Jump, Leaf, Mark


def ending_at(program: Program, mark: str) -> Program | None:
    """The program that goes to its end once the mark was visited; None if the mark stands nowhere else.

    Up to there executions are the same, states and probabilities included. The mark keeps a place of its own:
    other ways to the end do not visit it.
    """
    end = next((point for point, s in enumerate(program.code) if isinstance(s, Leaf)), None)
    points = [point for point, names in program.marked.items() if mark in names and point != end]
    if end is None or not points:
        return None
    return rewritten(program, {p: [Piece(Mark(mark), program.sources[p]), Piece(Jump(end))] for p in points})
