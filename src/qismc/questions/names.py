"""What the names in formulas mean, found out before anything is computed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NoReturn

from qismc.common.lazily import cached_property
from qismc.common.wording import counted
from qismc.errors import SpecError, at_source, suggestion
from qismc.language import parse_subspace, syntax, to_text
from qismc.program import BUILT_IN, Program, Variable, is_reserved, reserved_meaning
from qismc.propositions import (
    ANY,
    Proposition,
    Scope,
    captured,
    check_kind,
    check_moving,
    has_complement,
    natural_width,
    parts_within,
    resolve_tree,
    subspace_of,
)
from qismc.system import crossed

SYNONYMS = {
    **dict.fromkeys(("end", "final", "finish", "finished", "done", "exit", "stop"), ("leaf", "the end")),
    **dict.fromkeys(("start", "begin", "entry"), ("init", "the start")),
}
"""Words that people try first, each with the name that they mean and what it says."""


class Names:
    """Resolves the names of formulas against a program and its propositions, before anything is computed."""

    def __init__(self, program: Program, scope: Scope) -> None:
        self.program = program
        self.scope = scope
        self._meanings: dict[syntax.Subspace, Proposition] = {}
        for name in scope.props:
            with at_source(scope.sources.get(name)):
                self._check_proposition(name)

    def _check_proposition(self, name: str) -> None:
        """Its name is nobody else's."""
        if is_reserved(name) or name == ANY:
            raise SpecError(
                f"'{name}' is a reserved word and cannot name a proposition", hint="choose another name"
            )
        if name in self.program.marks or name in self.program.variables:
            what = "mark" if name in self.program.marks else "classical variable"
            raise SpecError(f"'{name}' names both a proposition and a {what}", hint="rename one of them")

    def check_propositions(self) -> None:
        """Raise SpecError for the first proposition that means nothing, whoever uses it."""
        for name, meaning in self.scope.props.items():
            check_kind(meaning, f"proposition '{name}'")
            width = natural_width(meaning)
            narrow = width is not None and width < self.program.num_qubits
            if narrow and not (isinstance(meaning, str) and _mentions_sp(syntax.PropName(name), self.scope)):
                self.scope.prop(name, tuple(range(width or 0)))

    def check(self, formula: syntax.Formula) -> None:
        """Raise SpecError for the first name that means nothing, or nothing certain."""
        self._check_names(formula)
        check_moving(formula, self.scope)

    def _check_names(self, formula: syntax.Formula) -> None:
        for part in probabilities(formula):
            if part.op == "X":
                raise SpecError("P takes F, G, U, W and R, not X", hint="for P=1 write AX, for P>0 EX")
            if part.bound == "=?" and part != formula:
                hint = "inside a formula compare it with a number, as in P>=0.9 [F p]"
                raise SpecError("P=? stands alone, not inside a formula", hint=hint)
            if self.program.inputs and part.bound not in ("=1", ">0"):
                refuse_average(to_text(part))
        for atom in atoms_of(formula):
            match atom:
                case syntax.Atom(name):
                    self._check_atom(name, formula)
                case syntax.Bit(ref):
                    self._check_bit(ref)
                case syntax.Compare():
                    for ref in self.refs(atom):
                        self.bits(ref)
                case syntax.Quantum(subspace) if not _mentions_sp(subspace, self.scope):
                    self.meaning(subspace)

    def meaning(self, subspace: syntax.Subspace) -> Proposition:
        """The proposition that a subspace stands for; without sp(..) it is found once for all stages."""
        found = self._meanings.get(subspace)
        if found is None:
            found = resolve_tree(subspace, self.scope)
            if not _mentions_sp(subspace, self.scope):
                self._meanings[subspace] = found
        return found

    def _check_atom(self, name: str, formula: syntax.Formula) -> None:
        if is_reserved(name) or name in self.scope.props:
            return
        if name in self.program.marks:
            if self._is_boolean(name):
                raise SpecError(
                    f"'{name}' names both a mark and a classical bit in '{to_text(formula)}'",
                    hint="write == 1 for the bit, or rename the mark",
                )
        elif not self._is_boolean(name):
            raise self._unknown(name, formula)

    def _check_bit(self, ref: syntax.Ref) -> None:
        """One bit of a register, or a whole register of one bit whose reserved name is in quotes."""
        if ref.index is None and ref.name not in self.program.variables:
            hint = f"in quotes it is a name of your own; without them, {reserved_meaning(ref.name)}"
            raise SpecError(f"no classical bit is called '{ref.name}'", hint=hint)
        if len(self.bits(ref).bits) != 1:
            raise self._wide(self.bits(ref))

    def _is_boolean(self, name: str) -> bool:
        variable = self.program.variables.get(name)
        return variable is not None and len(variable.bits) == 1

    def _wide(self, variable: Variable) -> SpecError:
        name = variable.name
        message = f"'{name}' has {len(variable.bits)} bits and is not a Boolean"
        return SpecError(message, hint=f"write '{name} == 1'")

    def _unknown(self, name: str, formula: syntax.Formula) -> SpecError:
        if name in self.program.variables:
            return self._wide(self.program.variables[name])
        known = [*BUILT_IN, *self.program.marks, *self.scope.props, *self.program.variables]
        meant = SYNONYMS.get(name.lower())
        hint = f"{meant[1]} is called '{meant[0]}'" if meant else suggestion(name, known)
        return SpecError(f"unknown atom '{name}' in '{to_text(formula)}'", hint=hint)

    def bits(self, ref: syntax.Ref) -> Variable:
        """The variable, or one bit of it, that a reference names."""
        variables = self.program.variables
        if ref.name not in variables:
            shown = [name for name, v in variables.items() if not v.hidden]
            hint = suggestion(ref.name, shown) or f"classical names here: {', '.join(shown) or 'none'}"
            if ref.name in self.program.named_registers:
                hint = f"it is a quantum register: write |0> on {ref}, or measure it first"
            elif ref.name and set(ref.name) <= {"0", "1"}:
                hint = f"write numbers as they are: {int(ref.name, 2)} or 0b{ref.name}"
            raise SpecError(f"unknown classical variable '{ref.name}'", hint=hint)
        variable = variables[ref.name]
        if ref.index is None:
            return variable
        if not 0 <= ref.index < len(variable.bits):
            raise SpecError(
                f"bit {ref} is out of range", hint=f"'{ref.name}' has {counted(len(variable.bits), 'bit')}"
            )
        return Variable(str(ref), (variable.bits[ref.index],), is_bit=True)

    def refs(self, atom: syntax.Formula) -> list[syntax.Ref]:
        """The classical values that an atomic formula reads."""
        match atom:
            case syntax.Atom(name) if self._is_variable(name):
                return [syntax.Ref(name)]
            case syntax.Bit(ref):
                return [ref]
            case syntax.Compare(left, _, right):
                found = [ref for _, ref in left.terms] if isinstance(left, syntax.Total) else [left]
                return found + ([right] if isinstance(right, syntax.Ref) else [])
        return []

    def comparison(self, atom: syntax.Compare) -> Callable[[int], bool]:
        """The truth of a comparison as a function of the store."""
        left, right, compare = self._side(atom.left), self._side(atom.right), syntax.COMPARE[atom.op]
        return lambda store: compare(left(store), right(store))

    def _side(self, side: syntax.Ref | syntax.Total | int) -> Callable[[int], int]:
        match side:
            case int():
                return lambda _: side
            case syntax.Ref():
                return self.bits(side).value
            case syntax.Total(terms):
                values = [(factor, self.bits(ref).value) for factor, ref in terms]
                return lambda store: sum(factor * value(store) for factor, value in values)

    def propositions(self, formula: syntax.Formula) -> Iterator[Proposition]:
        """The propositions that a formula speaks of, those made of sp(..) left out."""
        for atom in atoms_of(formula):
            tree = subspace_of(atom, self.scope)
            if tree is not None and not _mentions_sp(tree, self.scope):
                yield self.meaning(tree)

    def spoken(self, formula: syntax.Formula) -> Iterator[str]:
        """Texts of the subspaces that a formula spells out."""
        for atom in atoms_of(formula):
            if isinstance(atom, syntax.Quantum) and not isinstance(atom.subspace, syntax.PropName):
                yield _spelled(atom.subspace)

    def observed(self, formula: syntax.Formula) -> int:
        """The mask of the store positions that a formula speaks of."""
        found = 0
        for atom in atoms_of(formula):
            for ref in self.refs(atom):
                found |= self.bits(ref).mask
        return found

    def _is_variable(self, name: str) -> bool:
        """Does the name, without quotes, mean a classical variable?"""
        return name in self.program.variables and not is_reserved(name) and name not in self.program.marks

    def warnings(self, formula: syntax.Formula) -> list[str]:
        """Names that may be meant otherwise, and comparisons that no value of a variable can decide."""
        found = [*self._captured(formula), *captured(formula, self.scope), *self._undecidable(formula)]
        return list(dict.fromkeys(found)) if found else found

    def _captured(self, formula: syntax.Formula) -> Iterator[str]:
        """Built-ins whose name a classical bit of the program has, too."""
        for name in _built_ins(formula):
            if self._is_boolean(name):
                meaning = reserved_meaning(name)
                yield f"'{name}' means {meaning}, not the program's bit of that name: put that in quotes"

    def _undecidable(self, formula: syntax.Formula) -> Iterator[str]:
        """Comparisons with a number that a variable's width decides, or that nothing sets the variable."""
        for atom in atoms_of(formula):
            if not isinstance(atom, syntax.Compare) or not isinstance(atom.right, int):
                continue
            if isinstance(atom.left, syntax.Total):
                continue
            variable = self.bits(atom.left)
            width = len(variable.bits)
            low, high = (-(1 << (width - 1)), 1 << (width - 1)) if variable.signed else (0, 1 << width)
            answers = {syntax.COMPARE[atom.op](value, atom.right) for value in (low, high - 1)}
            outside = not low <= atom.right < high
            if outside or (atom.op not in ("==", "!=") and len(answers) == 1):
                always = "always" if syntax.COMPARE[atom.op](low, atom.right) else "never"
                yield f"'{to_text(atom)}' is {always} true: '{atom.left}' has {counted(width, 'bit')}"
            elif not set(variable.bits) & self._written:
                value = variable.value(self.program.initial_store)
                always = "always" if syntax.COMPARE[atom.op](value, atom.right) else "never"
                yield f"'{to_text(atom)}' is {always} true: nothing sets '{atom.left}', which is {value}"

    @cached_property
    def _written(self) -> set[int]:
        """The store positions that some statement sets."""
        return {bit for statement in crossed(self.program) for bit in statement.bits}


@lru_cache(maxsize=syntax.MOST_FORMULAS)
def _spelled(subspace: syntax.Subspace) -> str:
    return repr(subspace)


def propositions(formula: syntax.Formula, scope: Scope) -> Iterator[Proposition]:
    """The propositions that a formula speaks of, those made of sp(..) included."""
    for atom in atoms_of(formula):
        tree = subspace_of(atom, scope)
        if tree is not None:
            yield resolve_tree(tree, scope)


def needs_conjugates(
    formulas: Iterable[syntax.Formula], propositions: Iterable[Proposition], scope: Scope
) -> bool:
    """Will inner products with computed vectors be asked for?"""
    for formula in formulas:
        if any(part.bound not in ("=1", ">0") for part in probabilities(formula)):
            return True  # a probability may have to be compared with a fraction
        if any(_combines_sp(atom, scope) for atom in atoms_of(formula)):
            return True
    return any(map(has_complement, propositions))


def _combines_sp(atom: syntax.Formula, scope: Scope) -> bool:
    """Is sp(..) a part of a larger subspace? What that takes is known only after sp itself."""
    tree = subspace_of(atom, scope)
    if tree is None or not _mentions_sp(tree, scope):
        return False
    if isinstance(tree, syntax.PropName):
        meant = scope.props[tree.name]
        return not (isinstance(meant, str) and isinstance(parse_subspace(meant), syntax.SpOf))
    return not isinstance(tree, syntax.SpOf)


@lru_cache(maxsize=syntax.MOST_FORMULAS)
def _built_ins(formula: syntax.Formula) -> tuple[str, ...]:
    """The reserved names of a formula, each once."""
    found = map(_built_in, atoms_of(formula))
    return tuple(dict.fromkeys(name for name in found if name is not None))


def _built_in(atom: syntax.Formula) -> str | None:
    """The reserved name that an atomic formula consists of, if it does."""
    match atom:
        case syntax.Atom(name) if is_reserved(name):
            return name
        case syntax.Constant(value):
            return "true" if value else "false"
        case syntax.Quantum(syntax.Full()):
            return "full"
        case syntax.Quantum(syntax.Zero()):
            return "zero"
    return None


def refuse_average(what: str) -> NoReturn:
    """One vector that carries all inputs has the probability of none of them, but their mean."""
    hint = "write 'full on ...' in the place of 'any on ...', or give one state as init"
    raise SpecError(f"{what} depends on the input, and 'any' stands for all inputs at once", hint=hint)


def has_probability(formula: syntax.Formula) -> bool:
    """Is there a probability operator inside?"""
    return bool(probabilities(formula))


@lru_cache(maxsize=syntax.MOST_FORMULAS)
def probabilities(formula: syntax.Formula) -> tuple[syntax.Probability, ...]:
    """The probability operators inside."""
    return tuple(part for part in syntax.subformulas(formula) if isinstance(part, syntax.Probability))


@lru_cache(maxsize=syntax.MOST_FORMULAS)
def atoms_of(formula: syntax.Formula) -> tuple[syntax.Formula, ...]:
    """The atomic formulas inside, those of probability operators included."""
    return tuple(part for part in syntax.subformulas(formula) if not syntax.parts(part))


def mentions_post(formula: syntax.Formula, scope: Scope) -> bool:
    """Does a proposition of the formula speak of sp(..)?"""
    trees = (subspace_of(atom, scope) for atom in atoms_of(formula))
    return any(tree is not None and _mentions_sp(tree, scope) for tree in trees)


def _mentions_sp(tree: syntax.Subspace, scope: Scope) -> bool:
    """Does a subspace speak of sp(..)? Names are looked at once."""
    known = scope.mentioning.get(tree.name) if isinstance(tree, syntax.PropName) else None
    if known is None:
        known = any(isinstance(part, syntax.SpOf) for part in parts_within(tree, scope))
        if isinstance(tree, syntax.PropName):
            scope.mentioning[tree.name] = known
    return known
