"""What the program's own text asks (`//@ spec`, `init`, `prop`), and whether a certificate answers it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from qismc.language import Property, is_specified, parse_subspace, read_specification, syntax
from qismc.program import Program
from qismc.verifier.certificate import Certificate
from qismc.verifier.texts import Texts, atoms, means_something_else, names_in


@dataclass(frozen=True)
class Coverage:
    """The program's own formulas that claims decide, and what is missing, in words."""

    covered: tuple[Property, ...] = ()
    missing: tuple[str, ...] = ()


def covered(
    certificate: Certificate,
    texts: Texts,
    program: Program,
    graph_only: frozenset[str],
    starts_like: Callable[[syntax.Subspace | None], bool],
) -> Coverage:
    """Compares trees of formulas and propositions, and the spaces of starts."""
    properties = read_specification(None, program) if is_specified(program) else []
    init, props = own_init(program), own_props(program)
    different = [name for name, tree in props.items() if texts.props.get(name, tree) != tree]
    ambiguous = [name for name in props if means_something_else(name, program)]
    differ = [f"the proposition {name} is not the program's own" for name in different]
    differ += [f"the proposition {name} has the name of something else" for name in ambiguous]
    if init is not None and (unknown := _foreign(names_in(init), texts, props)) is not None:
        differ.append(f"the program's start names '{unknown}', which the program does not define")
    elif (init is not None or properties) and not starts_like(init):
        differ.append("the start is not the program's own")
    if properties and certificate.paths != "feasible":
        differ.append("the program's own formulas are about feasible paths")
    sure = [
        formula
        for claim, formula in zip(certificate.claims, texts.formulas, strict=True)
        if claim.name not in graph_only
    ]
    found = [wanted for wanted in properties if not differ and wanted.formula in sure]
    foreign = {wanted.name: _foreign(_names(wanted.formula), texts, props) for wanted in found}
    answered = tuple(wanted for wanted in found if not foreign[wanted.name])
    left = [wanted for wanted in properties if wanted not in answered]
    differ += _misnamed(certificate, texts, properties)
    return Coverage(answered, (*differ, *(_told(wanted, foreign.get(wanted.name)) for wanted in left)))


def _misnamed(certificate: Certificate, texts: Texts, properties: list[Property]) -> list[str]:
    """Claims that have the name of the program's own formula and are another one."""
    own = {wanted.name: wanted.formula for wanted in properties}
    claims = zip(certificate.claims, texts.formulas, strict=True)
    names = [claim.name for claim, formula in claims if own.get(claim.name, formula) != formula]
    return [f"the claim {name} is not the program's own formula of this name" for name in names]


def _told(wanted: Property, foreign: str | None) -> str:
    why = f", whose '{foreign}' the program does not define" if foreign else ""
    where = f"{wanted.source}: " if wanted.source is not None else ""
    return f"{where}{wanted.name}: {wanted.text}{why}"


def own_init(program: Program) -> syntax.Subspace | None:
    """The start that the program's text gives."""
    line = next((line for line in program.annotations if line.kind == "init"), None)
    return None if line is None else parse_subspace(line.text)


def own_props(program: Program) -> dict[str, syntax.Subspace]:
    """The propositions of the program's text."""
    lines = [line for line in program.annotations if line.kind == "prop"]
    return {line.name: parse_subspace(line.text) for line in lines if line.name is not None}


def _foreign(names: Iterable[str], texts: Texts, own: dict[str, syntax.Subspace]) -> str | None:
    """A proposition that these names rest on and that the certificate alone defines."""
    waiting, seen = list(names), set[str]()
    while waiting:
        name = waiting.pop()
        if name in texts.props and name not in own:
            return name
        if name in own and name not in seen:
            seen.add(name)
            waiting += names_in(own[name])
    return None


def _names(formula: syntax.Formula) -> Iterator[str]:
    for atom in atoms(formula):
        if isinstance(atom, syntax.Atom):
            yield atom.name
        elif isinstance(atom, syntax.Quantum):
            yield from names_in(atom.subspace)
