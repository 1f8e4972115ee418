"""The transition system in Graphviz' language."""

from __future__ import annotations

from qismc.common.wording import store_text
from qismc.report.show_blocks import Block, Diagram

SHAPES = {
    "plain": "",
    "init": ", penwidth=2",
    "loop": ', style="rounded"',
    "leaf": ", peripheries=2",
}


def dot(diagram: Diagram, *, fold: bool = True) -> str:
    """One box per block, one edge per arrow."""
    lines = [
        f"digraph {_quoted(diagram.system.program.name)} {{",
        '  graph [rankdir=TB, fontname="monospace"];',
        '  node [shape=box, fontname="monospace", fontsize=11];',
        '  edge [fontname="monospace", fontsize=10];',
    ]
    lines += [f"  b{b.number} [{_label(diagram, b, fold=fold)}{SHAPES[b.kind]}];" for b in diagram.blocks]
    for arrow in diagram.arrows:
        label = f" [label={_quoted(arrow.label)}]" if arrow.label else ""
        lines.append(f"  b{arrow.source} -> b{arrow.target}{label};")
    return "\n".join([*lines, "}"])


def _label(diagram: Diagram, block: Block, *, fold: bool) -> str:
    """Rows are set flush left by `\\l`; the store comes first."""
    rows = [f"{row.name}  {row.text}" for row in diagram.rows(block, fold=fold)]
    head = [store_text(block.store)] if block.store else []
    return "label=" + '"' + "".join(f"{_escaped(row)}\\l" for row in [*head, *rows]) + '"'


def _quoted(text: str) -> str:
    return f'"{_escaped(text)}"'


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
