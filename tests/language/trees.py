"""Random syntax trees, as the parser can make them."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from qismc.common.scalars import COMPLEX
from qismc.language import coefficients as c
from qismc.language import syntax as s
from qismc.program.program import is_reserved

names = st.one_of(
    st.from_regex(r"[a-z_][a-z0-9_]{0,4}", fullmatch=True),
    st.sampled_from(
        ["A", "E", "P", "U", "AG", "true", "on", "i", "pi", "sp", "end of loop", "x-1", "it's", "ψ"]
    ),
)
reserved = st.sampled_from(["leaf", "loop", "init", "reached", "true", "false", "full", "zero", "l7", "@7"])
atoms = st.one_of(
    names.filter(lambda name: not is_reserved(name)),
    st.sampled_from(["leaf", "loop", "init", "reached", "l7"]),
    st.integers(0, 99).map(lambda k: f"@{k}"),
)
own = st.one_of(names, reserved)
refs = st.builds(s.Ref, own, st.one_of(st.none(), st.integers(0, 20)))


def _nonzero(tree: c.Coefficient) -> bool:
    try:
        return abs(tree.value(COMPLEX)) > 1e-9
    except (ZeroDivisionError, OverflowError):
        return False


_leaves = st.one_of(
    st.fractions(-5, 5, max_denominator=9).map(c.Rational),
    st.fractions(Fraction(1, 9), 5, max_denominator=9).map(c.Sqrt),
    st.sampled_from([c.Imaginary(), c.Pi(), c.Literal("0.70710678"), c.Literal("1e-3")]),
    st.builds(
        lambda turn: c.Exp(c.mul(c.mul(c.Rational(turn), c.Imaginary()), c.Pi())),
        st.fractions(-2, 2, max_denominator=8).filter(bool),
    ),
)
coefficients = st.recursive(
    _leaves,
    lambda inner: st.one_of(
        st.builds(c.add, inner, inner),
        st.builds(c.mul, inner, inner),
        st.builds(c.div, inner, inner.filter(_nonzero)),
        inner.map(c.neg),
        st.builds(c.power, inner.filter(_nonzero), st.integers(-3, 3)),
    ),
    max_leaves=5,
).filter(_nonzero)


@st.composite
def kets(draw: st.DrawFn) -> s.Ket:
    width = draw(st.integers(1, 12))
    letters = st.text("01+-rl", min_size=width, max_size=width)
    return s.Ket(tuple(draw(st.lists(st.builds(s.Term, coefficients, letters), min_size=1, max_size=3))))


@st.composite
def stabs(draw: st.DrawFn) -> s.Stab:
    width = draw(st.integers(1, 12))
    string = st.builds(
        str.__add__, st.sampled_from(["", "-"]), st.text("IXYZ", min_size=width, max_size=width)
    )
    return s.Stab(tuple(draw(st.lists(string, min_size=1, max_size=3))))


subspaces: st.SearchStrategy[s.Subspace] = st.recursive(
    st.one_of(
        kets(),
        stabs(),
        st.just(s.Full()),
        st.just(s.Zero()),
        st.builds(s.SpOf, atoms),
        st.builds(s.PropName, own),
    ),
    lambda inner: st.one_of(
        st.builds(s.Complement, inner),
        st.builds(s.Meet, inner, inner),
        st.builds(s.Join, inner, inner),
        st.lists(inner, min_size=1, max_size=3).map(lambda items: s.Span(tuple(items))),
        st.builds(
            lambda x, qubits: s.On(x, tuple(qubits)),
            inner,
            st.lists(refs, min_size=1, max_size=3, unique=True),
        ),
    ),
    max_leaves=5,
)

_comparisons = st.sampled_from(["==", "!=", "<", "<=", ">", ">="])
_atomic = st.one_of(
    st.booleans().map(s.Constant),
    atoms.map(s.Atom),
    reserved.map(lambda name: s.Bit(s.Ref(name))),
    st.builds(s.Bit, refs.filter(lambda ref: ref.index is not None)),
    st.builds(s.Compare, refs, _comparisons, st.one_of(st.integers(-9, 2**70), refs)),
    subspaces.filter(lambda tree: not isinstance(tree, s.PropName)).map(s.Quantum),
)


_thresholds = st.one_of(
    st.fractions(0, 1, max_denominator=9).map(c.Rational),
    st.fractions(Fraction(1, 9), 1, max_denominator=9).filter(lambda x: x < 1).map(c.Sqrt),
    st.sampled_from([c.Literal("0.70710678"), c.Literal("1e-3"), c.Div(c.ONE, c.Pi())]),
)
bounds = st.one_of(
    st.sampled_from(["=1", ">0", "=?"]),
    st.builds(s.Threshold, st.sampled_from([">=", ">", "<=", "<"]), _thresholds).filter(
        lambda bound: bound != s.Threshold(">", c.ZERO)
    ),
)


def _extend(inner: st.SearchStrategy[s.Formula]) -> st.SearchStrategy[s.Formula]:
    unary = st.tuples(st.sampled_from("XFG"), inner.map(lambda tree: (tree,)))
    binary = st.tuples(st.sampled_from("UWR"), st.tuples(inner, inner))
    paths = st.one_of(unary, binary)
    return st.one_of(
        inner.map(s.Not),
        *(st.builds(kind, inner, inner) for kind in (s.And, s.Or, s.Implies, s.Iff)),
        st.builds(lambda quantifier, path: s.Temporal(quantifier, *path), st.sampled_from("AE"), paths),
        st.builds(lambda bound, path: s.Probability(bound, *path), bounds, paths),
    )


formulas: st.SearchStrategy[s.Formula] = st.recursive(_atomic, _extend, max_leaves=6)
