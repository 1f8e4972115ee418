"""A labelled graph and a formula as a NuSMV model: locations are l0, l1, …, labels are sets of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import numpy as np

from qismc.ctl.evaluation import Atoms
from qismc.ctl.graph import Graph, Mask
from qismc.ctl.reach import forward
from qismc.language import (
    And,
    Atomic,
    Constant,
    Formula,
    Iff,
    Implies,
    Not,
    Or,
    Probability,
    Quantifier,
    Quantum,
    Temporal,
    operands,
    to_text,
)

Describe = Callable[[int], str]

_RESERVED = frozenset(
    re.findall(
        r"\w+",
        """
        MODULE DEFINE MDEFINE CONSTANTS VAR IVAR FROZENVAR FUN INIT TRANS INVAR SPEC CTLSPEC LTLSPEC PSLSPEC
        COMPUTE NAME INVARSPEC FAIRNESS JUSTICE COMPASSION ISA ASSIGN CONSTRAINT SIMPWFF CTLWFF LTLWFF PSLWFF
        COMPWFF IN MIN MAX MIRROR PRED PREDICATES process array of boolean integer real word word1 bool signed
        unsigned extend resize sizeof uwconst swconst EX AX EF AF EG AG E F O G H X Y Z A U S V T BU EBF ABF
        EBG ABG case esac mod next init union in xor xnor self TRUE FALSE count abs max min toint typeof floor
        location nowhere
        """,
    )
)


def to_smv(formula: Formula, graph: Graph, atoms: Atoms, describe: Describe | None = None) -> str:
    """A model whose specification holds in NuSMV iff the formula holds at the initial location.

    Only locations that can be reached are written; `describe(location)` becomes a comment beside each.
    """
    reachable = forward(graph, graph.only(graph.initial))
    labels = _labels(formula)
    lines = [f"-- {_comment(to_text(formula))}", "MODULE main", "VAR"]
    lines += [f"  location : {_domain(reachable)};", "ASSIGN", f"  init(location) := l{graph.initial};"]
    lines += ["  next(location) := case", *_transitions(graph, reachable, describe), "  esac;"]
    if labels:
        lines.append("DEFINE")
    for atom, name in labels.items():
        where = np.asarray(atoms(atom, reachable), dtype=bool) & reachable
        lines += [f"  -- {_comment(to_text(atom))}", f"  {name} := {_membership(where, reachable)};"]
    return "\n".join([*lines, f"CTLSPEC {_spec(formula, labels)};", ""])


def location_number(name: str) -> int:
    """The location that a name such as l7 stands for."""
    return int(name[1:])


def _transitions(graph: Graph, reachable: Mask, describe: Describe | None) -> Iterator[str]:
    """One line per location; the last guard is TRUE, so that the cases are exhaustive for NuSMV, too."""
    locations: list[int] = np.flatnonzero(reachable).tolist()
    for location in locations:
        names = [f"l{target}" for target in sorted(set(graph.successors.of(location).tolist()))]
        guard = "TRUE" if location == locations[-1] else f"location = l{location}"
        value = names[0] if len(names) == 1 else "{" + ", ".join(names) + "}"
        remark = f"  -- l{location}: {_comment(describe(location))}" if describe is not None else ""
        yield f"    {guard} : {value};{remark}"


def _membership(where: Mask, reachable: Mask) -> str:
    if not where.any():
        return "FALSE"
    if np.array_equal(where, reachable):
        return "TRUE"
    return f"location in {_set(where)}"


def _domain(reachable: Mask) -> str:
    """NuSMV takes a variable with one value for a constant, which cannot be assigned: add a value."""
    names = _set(reachable)
    return names if np.count_nonzero(reachable) > 1 else names.replace("}", ", nowhere}")


def _set(where: Mask) -> str:
    return "{" + ", ".join(f"l{k}" for k in np.flatnonzero(where).tolist()) + "}"


def _comment(text: str) -> str:
    """One line of ASCII."""
    return " ".join(text.split()).encode("ascii", "backslashreplace").decode()


# --- labels -------------------------------------------------------------------------------------------------


def _labels(formula: Formula) -> dict[Formula, str]:
    """A readable and unique identifier for each atomic formula."""
    names: dict[Formula, str] = {}
    for atom in _atomic(formula):
        if atom not in names:
            names[atom] = _unique(_identifier(atom), set(names.values()))
    return names


def _atomic(formula: Formula) -> Iterator[Formula]:
    if isinstance(formula, Atomic):
        yield formula
    for part in operands(formula):
        yield from _atomic(part)


def _identifier(atom: Formula) -> str:
    if isinstance(atom, Quantum):
        return "quantum"
    if isinstance(atom, Probability):
        return {"=1": "almost_surely", ">0": "possibly"}.get(str(atom.bound), "likely")
    words = {"==": "eq", "!=": "ne", "<=": "le", ">=": "ge", "<": "lt", ">": "gt", "@": "at", "-": "minus"}
    text = re.sub(r"==|!=|<=|>=|<|>|@|-", lambda symbol: f" {words[symbol.group()]} ", to_text(atom))
    name = "_".join(re.findall(r"[A-Za-z0-9]+", text)) or "label"
    return f"{name}_" if name in _RESERVED or re.fullmatch(r"l?\d+.*", name) else name


def _unique(name: str, taken: set[str]) -> str:
    candidates = (name if k == 0 else f"{name}_{k}" for k in range(len(taken) + 1))
    return next(candidate for candidate in candidates if candidate not in taken)


# --- formulas -----------------------------------------------------------------------------------------------


def _spec(formula: Formula, labels: dict[Formula, str]) -> str:
    """The formula in NuSMV's CTL, fully parenthesised."""
    if formula in labels:
        return labels[formula]

    def text(part: Formula) -> str:
        return _spec(part, labels)

    match formula:
        case Constant(value):
            return "TRUE" if value else "FALSE"
        case Not(operand):
            return f"!{text(operand)}"
        case And(left, right):
            return f"({text(left)} & {text(right)})"
        case Or(left, right):
            return f"({text(left)} | {text(right)})"
        case Implies(left, right):
            return f"({text(left)} -> {text(right)})"
        case Iff(left, right):
            return f"({text(left)} <-> {text(right)})"
        case Temporal(quantifier, "U", (p, q)):
            return f"{quantifier} [{text(p)} U {text(q)}]"
        case Temporal(quantifier, ("W" | "R"), _):
            return text(_with_until(formula))
        case Temporal(quantifier, op, (p,)):
            return f"({quantifier}{op} {text(p)})"
    raise TypeError(f"{formula!r} is no formula")


def _with_until(formula: Temporal) -> Formula:
    """W and R, which NuSMV lacks: A[p W q] = !E[!q U !p & !q], A[p R q] = !E[!p U !q], and their duals."""
    p, q = formula.operands
    dual: Quantifier = "E" if formula.quantifier == "A" else "A"
    if formula.op == "W":
        return Not(Temporal(dual, "U", (Not(q), And(Not(p), Not(q)))))
    return Not(Temporal(dual, "U", (Not(p), Not(q))))
