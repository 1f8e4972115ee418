"""The `//@ init / prop / mark / spec` lines of an OpenQASM file."""

from __future__ import annotations

import re

from qismc.common.source import Source
from qismc.errors import ProgramError, suggestion
from qismc.program.program import Annotation
from qismc.program.reserved import check_mark

KINDS = ("init", "prop", "spec", "mark", "annotate")
START = "//@"
LINE = re.compile(r"//@[ \t]*(?P<kind>\w*)[ \t]*(?P<rest>.*?)[ \t\r]*$")
NAME = r"[A-Za-z_]\w*"
PROPERTY = re.compile(rf"(?P<name>{NAME})\s*=(?!=)\s*(?P<text>.+)")
PLACED = re.compile(r"(?P<name>[^=]+?)\s*=(?!=)\s*(?P<text>.+)")
SPECIFICATION = re.compile(rf"(?:(?P<name>{NAME})\s*:\s*)?(?P<text>.+)")
SHAPES = {
    "init": (re.compile(r"(?:=(?!=)\s*)?(?P<text>.+)"), "//@ init |000>"),
    "prop": (PROPERTY, "//@ prop target = |01> + |10>"),
    "spec": (SPECIFICATION, "//@ spec safe: AG (leaf -> target)"),
    "mark": (re.compile(rf"(?P<text>{NAME})"), "//@ mark here"),
    "annotate": (PLACED, "//@ annotate here = |000>"),
}


def read_annotations(text: str, file: str) -> tuple[Annotation, ...]:
    """Every `//@` line of a program text, in order."""
    found: list[Annotation] = []
    for number, line in enumerate(text.split("\n") if START in text else (), 1):
        match = LINE.search(line) if START in line else None
        if match and _is_ours(match["kind"]):
            annotation = _annotation(match, Source(file, number, match.start() + 1))
            _check_new(annotation, found)
            found.append(annotation)
    return tuple(found)


def _check_new(annotation: Annotation, earlier: list[Annotation]) -> None:
    """One start, and one meaning for each proposition."""
    kind, name = annotation.kind, annotation.name
    if kind in ("init", "prop") and any(a.kind == kind and a.name == name for a in earlier):
        what = f"//@ prop {name}" if kind == "prop" else "//@ init"
        hint = "rename one of them" if kind == "prop" else "write one line: span(|00>, |11>)"
        raise ProgramError(f"a second '{what}'", source=annotation.source, hint=hint)


def _is_ours(kind: str) -> bool:
    """Other tools write `//@author` and the like; a near miss of one of our words is a typing error."""
    return kind in KINDS or suggestion(kind, KINDS) is not None


def _annotation(match: re.Match[str], source: Source) -> Annotation:
    kind, rest = match["kind"], match["rest"]
    if kind not in KINDS:
        raise ProgramError(f"unknown annotation '//@ {kind}'", source=source, hint=suggestion(kind, KINDS))
    shape, example = SHAPES[kind]
    parts = shape.fullmatch(rest)
    if parts is None:
        raise ProgramError(f"malformed '//@ {kind} {rest}'", source=source, hint=f"write it like '{example}'")
    groups = parts.groupdict()
    name = groups["text"] if kind == "mark" else groups.get("name")
    if kind == "mark":
        check_mark(groups["text"], source)
    return Annotation(kind, name, groups["text"], source)
