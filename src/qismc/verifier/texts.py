"""The texts of a certificate as syntax trees, bounded in size before anything walks over them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from typing import Any, NamedTuple, TypeVar

from qismc.errors import SpecError, UsageError
from qismc.language import parse_formula, parse_subspace, syntax
from qismc.program import Program, is_reserved
from qismc.verifier.certificate import Certificate, Label
from qismc.verifier.outcome import NotChecked, Refused, plain, quote

MOST_TEXT = 1 << 20
"""Characters of all different texts of a certificate."""
MOST_PARTS = 1 << 20
"""Parts of all formulas and subspaces, names of propositions replaced by what they stand for."""
MOST_LETTERS = 1 << 24
DEEPEST = 320
"""Levels of nesting, those of propositions included: what follows recurses over trees."""
ANY = "any"
"""In a start this word stands for all states, so that no proposition may have it."""
T = TypeVar("T")


@dataclass(frozen=True)
class Texts:
    """What a certificate says of a program, in trees."""

    formulas: tuple[syntax.Formula, ...]
    """One for each claim."""
    props: Mapping[str, syntax.Subspace]
    init: syntax.Subspace | None
    labels: Mapping[tuple[syntax.Subspace, int, int], Label]


def read_texts(certificate: Certificate, program: Program) -> Texts:
    """Raises UsageError for what cannot be read, Refused or NotChecked for what has no meaning here."""
    if not certificate.claims:
        raise Refused("it claims nothing")
    _check_names(certificate, program)
    _check_length(certificate)
    reader = _TreeReader()
    props = {name: reader.tree(parse_subspace, text) for name, text in certificate.props.items()}
    init = None if certificate.init is None else reader.tree(parse_subspace, certificate.init)
    formulas = tuple(reader.tree(parse_formula, claim.spec) for claim in certificate.claims)
    labels = _labels(certificate, reader)
    trees = [*([] if init is None else [init]), *formulas, *{tree for tree, _, _ in labels}]
    known = _sizes_of_props(props)
    _added([*known.values(), *(_size(tree, known) for tree in trees)])
    return Texts(formulas, props, init, labels)


def _check_names(certificate: Certificate, program: Program) -> None:
    names = [claim.name for claim in certificate.claims]
    if len(set(names)) < len(names):
        raise Refused("two claims have the same name")
    for name in certificate.props:
        if means_something_else(name, program):
            what = "which means something else in this program"
            raise Refused(f"a proposition is called {quote(name)}, {what}")


def means_something_else(name: str, program: Program) -> bool:
    """May a proposition not have this name, as it is reserved or the program's?"""
    return is_reserved(name) or name == ANY or name in program.marks or name in program.variables


def _check_length(certificate: Certificate) -> None:
    texts = {label.subspace for label in certificate.labels} | set(certificate.props.values())
    texts |= {claim.spec for claim in certificate.claims} | {certificate.init or ""}
    if sum(map(len, texts)) > MOST_TEXT:
        raise NotChecked(f"texts of more than {MOST_TEXT} characters")


class _TreeReader:
    """Makes trees of texts until they are too large all together."""

    def __init__(self) -> None:
        self._size = TextSize()

    def tree(self, parse: Callable[[str], T], text: str) -> T:
        try:
            tree = parse(text)
        except SpecError as error:
            what = plain(error.message.splitlines()[0])
            raise UsageError(f"the certificate says {quote(text)}: {what}") from None
        except (RecursionError, OverflowError, ValueError):
            why = "it is nested too deeply, or its numbers are too large"
            raise NotChecked(f"{quote(text)}: {why}") from None
        self._size = _added([self._size, _size(tree, {})])
        return tree


def _labels(certificate: Certificate, reader: _TreeReader) -> dict[tuple[syntax.Subspace, int, int], Label]:
    different = {label.subspace for label in certificate.labels}
    trees = {text: reader.tree(parse_subspace, text) for text in different}
    found: dict[tuple[syntax.Subspace, int, int], Label] = {}
    for label in certificate.labels:
        earlier = found.setdefault((trees[label.subspace], label.place, label.point), label)
        if earlier.holds != label.holds:
            raise Refused(f"labels of {quote(label.subspace)} contradict each other")
    return found


# --- sizes -------------------------------------------------------------------------------------------------


class TextSize(NamedTuple):
    """Of a tree in which names of propositions are replaced by what they stand for."""

    parts: int = 0
    letters: int = 0
    depth: int = 0


def _added(sizes: Iterable[TextSize]) -> TextSize:
    """The size of several; raises NotChecked if that is too much."""
    parts = letters = deepest = 0
    for size in sizes:
        parts, letters, deepest = parts + size.parts, letters + size.letters, max(deepest, size.depth)
        if parts > MOST_PARTS or letters > MOST_LETTERS:
            raise NotChecked(f"formulas of more than {MOST_PARTS} parts or {MOST_LETTERS} letters")
        if deepest > DEEPEST:
            raise NotChecked(f"formulas that are nested more than {DEEPEST} levels deep")
    return TextSize(parts, letters, deepest)


def _sizes_of_props(props: Mapping[str, syntax.Subspace]) -> dict[str, TextSize]:
    """Those that a proposition names come first, without recursion."""
    known: dict[str, TextSize] = {}
    for name in props:
        waiting = {name: _inside(props, name)}
        while waiting:
            here = next(reversed(waiting))
            needed = next((other for other in waiting[here] if other not in known), None)
            if needed is None:
                del waiting[here]
                known[here] = _size(props[here], known)
            elif needed in waiting:
                raise Refused(f"the proposition {quote(here)} is defined by itself")
            else:
                waiting[needed] = _inside(props, needed)
    return known


def _inside(props: Mapping[str, syntax.Subspace], name: str) -> Iterator[str]:
    return iter([other for other in names_in(props[name]) if other in props])


def names_in(tree: syntax.Subspace) -> list[str]:
    """The propositions that a subspace names."""
    return [part.name for part, _ in parts_of(tree) if isinstance(part, syntax.PropName)]


def _size(tree: Any, props: Mapping[str, TextSize]) -> TextSize:
    return _added(_own(part, depth, props) for part, depth in parts_of(tree))


def _own(part: Any, depth: int, props: Mapping[str, TextSize]) -> TextSize:
    if isinstance(part, str):
        return TextSize(1, len(part), depth)
    if isinstance(part, syntax.PropName | syntax.Atom) and part.name in props:
        inner = props[part.name]
        return TextSize(1 + inner.parts, inner.letters, depth + inner.depth)
    return TextSize(1, 0, depth)


def parts_of(tree: Any) -> Iterator[tuple[Any, int]]:
    """Everything inside a tree with its depth; shared parts as often as they occur."""
    waiting = [(tree, 1)]
    while waiting:
        part, depth = waiting.pop()
        yield part, depth
        if isinstance(part, tuple):
            waiting += [(inner, depth) for inner in part]
        elif is_dataclass(part):
            waiting += [(inner, depth + 1) for inner in vars(part).values() if _is_part(inner)]


def _is_part(value: Any) -> bool:
    return isinstance(value, tuple | str) or is_dataclass(value)


def atoms(formula: syntax.Formula) -> Iterator[syntax.Formula]:
    """The atomic formulas inside, those of probability operators included."""
    waiting = [formula]
    while waiting:
        part = waiting.pop()
        inside = syntax.parts(part)
        waiting += inside
        if not inside:
            yield part
