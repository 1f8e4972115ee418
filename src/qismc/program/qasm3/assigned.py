"""Is a variable read before it is written?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from openqasm3 import ast


def may_be_read_unset(name: str, statements: Sequence[Any]) -> bool:
    """Can one of these statements read the variable before another has set it?"""
    return _first_use(name, statements) == "read"


def _first_use(name: str, statements: Sequence[Any]) -> str | None:
    """ "read" if some way through the statements reads first, "set" if every way sets, else None."""
    for statement in statements:
        use = _use(name, statement) if mentions(statement, name) else None
        if use is not None:
            return use
    return None


def _use(name: str, node: Any) -> str | None:
    match node:
        case ast.BranchingStatement():
            return _choice(name, node.condition, [node.if_block, node.else_block])
        case ast.SwitchStatement():
            default = node.default.statements if node.default is not None else []
            return _choice(name, node.target, [*(block.statements for _, block in node.cases), default])
        case ast.WhileLoop():
            return _choice(name, node.while_condition, [node.block, []])
        case ast.ForInLoop():
            return _choice(name, node.set_declaration, [node.block, []])
        case ast.Box():
            return _first_use(name, node.body)
        case ast.CompoundStatement():
            return _first_use(name, node.statements)
        case ast.ClassicalAssignment():
            is_set = node.op.name == "=" and _is_whole(name, node.lvalue)
            return "set" if is_set and not mentions(node.rvalue, name) else "read"
        case ast.QuantumMeasurementStatement():
            return "set" if _is_whole(name, node.target) else "read"
    return "read"


def _choice(name: str, condition: Any, blocks: Iterable[Sequence[Any]]) -> str | None:
    """The use by a statement that takes one of several ways."""
    if mentions(condition, name):
        return "read"
    uses = {_first_use(name, block) for block in blocks}
    return "read" if "read" in uses else "set" if uses == {"set"} else None


def _is_whole(name: str, target: Any) -> bool:
    return isinstance(target, ast.Identifier) and target.name == name


def mentions(node: Any, name: str) -> bool:
    """Does an identifier of this name occur in a syntax tree?"""
    if isinstance(node, ast.Identifier):
        return bool(node.name == name)
    if isinstance(node, list | tuple):
        return any(mentions(part, name) for part in node)
    if isinstance(node, ast.QASMNode):
        return any(mentions(part, name) for part in vars(node).values())
    return False
