"""Do two programs end in the same states? sp at the leaf, compared for every store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from qismc.engines import Span, Vector
from qismc.errors import Undecided
from qismc.model import Model
from qismc.program import Branch, Havoc, Leaf, Program, Read, Statement, Store

CHOICE_STATEMENTS = 2
KEPT = ("init", "props", "engine", "limits", "seed", "order", "store", "threads")
"""The options of a question that matter for where programs end."""


def side_by_side(left: Program, right: Program) -> Program:
    """A program that is one of the two, by a choice of the environment in a bit above both stores.

    One engine then computes with the states of both.
    """
    bit = max(left.store_width, right.store_width)
    first, second = CHOICE_STATEMENTS, CHOICE_STATEMENTS + len(left.code)
    choice: list[Statement] = [Havoc((bit,)), Branch(Read((bit,)), second, first)]
    code: list[Statement] = [*choice, *(s.retargeted(lambda p: p + first) for s in left.code)]
    code += [s.retargeted(lambda p: p + second) for s in right.code]
    unknown = (None,) * CHOICE_STATEMENTS
    return replace(
        left,
        code=tuple(code),
        sources=(*unknown, *left.sources, *right.sources),
        texts=(*unknown, *left.texts, *right.texts),
        store_width=bit + 1,
        marked={point + first: names for point, names in left.marked.items()},
        annotations=tuple(a for a in left.annotations if a.kind in ("init", "prop")),
    )


def same_ends(left: Program, right: Program, options: Mapping[str, Any]) -> bool:
    """Are sp at the leaf of two programs on the same qubits equal, for every value of the classical bits?

    False also where that could not be decided, and where neither program ever ends.
    """
    kept = {name: options[name] for name in KEPT if name in options}
    try:
        return _compared(Model.of(side_by_side(left, right), **kept))
    except Undecided:
        return False


def _compared(model: Model) -> bool:
    model = model.asking([])  # nothing is asked for which conjugates would be needed
    solved = model.solved()
    choice = 1 << (model.program.store_width - 1)
    ends: tuple[dict[Store, list[Vector]], dict[Store, list[Vector]]] = ({}, {})
    for node in solved.system.nodes:
        if isinstance(model.program.code[node.last], Leaf):
            found = [state.vector for state in solved.posts.at(node, node.last)]
            ends[bool(node.store & choice)][node.store & ~choice] = found
    if not ends[0] or ends[0].keys() != ends[1].keys():
        return False
    return all(_equal(solved.engine.span(), ends[0][store], ends[1][store]) for store in ends[0])


def _equal(span: Span, left: list[Vector], right: list[Vector]) -> bool:
    """Do two lists of independent vectors span the same?"""
    if len(left) != len(right):
        return False
    for vector in left:
        span.add(vector)
    return all(span.contains(vector) for vector in right)
