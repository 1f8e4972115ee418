"""The formulas of a check, by name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from qismc.common.source import Source
from qismc.common.wording import quoted
from qismc.errors import SpecError
from qismc.language.parser import parse_formula
from qismc.language.syntax import Formula
from qismc.program import Program

KINDS = "give a formula as text, a list of formulas, or a dictionary of names and formulas"
NAMED = re.compile(r"\s*(?P<name>[A-Za-z_]\w*)\s*:\s*(?P<text>.+)", re.DOTALL)
Specification = str | Sequence[str] | Mapping[str, str] | None


class Property(NamedTuple):
    """A formula with its name, its text as the user wrote it, and where that stands."""

    name: str
    text: str
    formula: Formula
    source: Source | None = None


def read_specification(spec: Specification, program: Program) -> list[Property]:
    """The formulas; without a specification, those of the program's own `//@ spec` lines."""
    if spec is None:
        return _written(program)
    if isinstance(spec, str):
        spec = _named([spec])
    elif not isinstance(spec, Mapping | Sequence) or isinstance(spec, bytes):
        raise SpecError(f"spec is {type(spec).__name__} {quoted(spec)}", hint=KINDS)
    elif not isinstance(spec, Mapping):
        spec = _named(spec)
    if not spec:
        raise SpecError("there is no formula to check", hint='for example "AG (leaf -> target)"')
    for name, text in spec.items():
        if not isinstance(name, str) or not isinstance(text, str):
            raise SpecError(f"spec has {quoted(name)}: {type(text).__name__} {quoted(text)}", hint=KINDS)
    return [Property(name, text, parse_formula(text)) for name, text in spec.items()]


def _named(texts: Sequence[str]) -> dict[str, str]:
    """`name: formula`, or a number for those without a name."""
    found: dict[str, str] = {}
    for number, text in enumerate(texts, 1):
        match = NAMED.fullmatch(text) if isinstance(text, str) else None
        default = f"spec{number}" if len(texts) > 1 else "spec"
        name, formula = (match["name"], match["text"]) if match else (default, text)
        if name in found:
            raise SpecError(f"two formulas are called '{name}'")
        found[name] = formula
    return found


def is_specified(program: Program) -> bool:
    """Does a program have formulas of its own?"""
    return any(annotation.kind == "spec" for annotation in program.annotations)


def _written(program: Program) -> list[Property]:
    found: list[Property] = []
    for number, line in enumerate((a for a in program.annotations if a.kind == "spec"), 1):
        name = line.name or f"spec{number}"
        if any(earlier.name == name for earlier in found):
            raise SpecError(f"two formulas are called '{name}'", source=line.source)
        found.append(Property(name, line.text, parse_formula(line.text, line.source), line.source))
    if not found:
        raise SpecError(
            f"{program.name} has no specification",
            hint="add a line such as `//@ spec AG (leaf -> target)`, or pass --spec",
        )
    return found
