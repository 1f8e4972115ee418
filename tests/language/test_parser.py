"""What the language means, and how it complains."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qismc.common.source import Source
from qismc.errors import SpecError
from qismc.language import coefficients as c
from qismc.language import messages, parse_formula, parse_subspace, to_text
from qismc.language import syntax as s

p, q, r = s.Atom("p"), s.Atom("q"), s.Atom("r")
a, b = s.PropName("a"), s.PropName("b")


def ket(letters: str, coefficient: c.Coefficient = c.ONE) -> s.Ket:
    return s.Ket((s.Term(coefficient, letters),))


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("p", p),
        ("@7", s.Atom("@7")),
        ("l7", s.Atom("l7")),
        ("true & false", s.And(s.Constant(True), s.Constant(False))),
        ("AG p & q", s.And(s.Temporal("A", "G", (p,)), q)),
        ("!p | q & r", s.Or(s.Not(p), s.And(q, r))),
        ("p -> q -> r", s.Implies(p, s.Implies(q, r))),
        ("p <-> q <-> r", s.Iff(s.Iff(p, q), r)),
        ("not p and q or r", s.Or(s.And(s.Not(p), q), r)),
        ("A[p U q]", s.Temporal("A", "U", (p, q))),
        ("E [p -> q W r]", s.Temporal("E", "W", (s.Implies(p, q), r))),
        ("A[p R q]", s.Temporal("A", "R", (p, q))),
        ("EX AF p", s.Temporal("E", "X", (s.Temporal("A", "F", (p,)),))),
        ("P=1 [F p]", s.Probability("=1", "F", (p,))),
        ("P > 0 [p U q]", s.Probability(">0", "U", (p, q))),
        ("c == 0b10", s.Compare(s.Ref("c"), "==", 2)),
        ("c != 0x1F", s.Compare(s.Ref("c"), "!=", 31)),
        ("007 <= c", s.Compare(s.Ref("c"), ">=", 7)),
        ("c[1] == d[0]", s.Compare(s.Ref("c", 1), "==", s.Ref("d", 0))),
        ("c[1]", s.Bit(s.Ref("c", 1))),
        ("i < 3", s.Compare(s.Ref("i"), "<", 3)),
        ("i & p", s.And(s.Atom("i"), p)),
        ("'A'[0] & \"end of loop\"", s.And(s.Bit(s.Ref("A", 0)), s.Atom("end of loop"))),
        ("∀□ p", s.Temporal("A", "G", (p,))),
        ("∃◇ ¬p", s.Temporal("E", "F", (s.Not(p),))),
        ("∀○ p ∧ q ↔ r", s.Iff(s.And(s.Temporal("A", "X", (p,)), q), r)),
        ("∃[p U q] → r ∨ p", s.Implies(s.Temporal("E", "U", (p, q)), s.Or(r, p))),
        ("P>0 [□ p]", s.Probability(">0", "G", (p,))),
        ("p | r -> q", s.Implies(s.Or(p, r), q)),
        ("~a", s.Quantum(s.Complement(a))),
        ("!a", s.Not(s.Atom("a"))),
        ("~a /\\ b & p", s.And(s.Quantum(s.Meet(s.Complement(a), b)), p)),
        ("AG a \\/ b /\\ a", s.Temporal("A", "G", (s.Quantum(s.Join(a, s.Meet(b, a))),))),
        ("a ∧ b", s.And(s.Atom("a"), s.Atom("b"))),
        ("~(a ∧ b)", s.Quantum(s.Complement(s.Meet(a, b)))),
        ("(a ∨ ¬b)⊥", s.Quantum(s.Complement(s.Join(a, s.Complement(b))))),
        ("|0> | |1>", s.Or(s.Quantum(ket("0")), s.Quantum(ket("1")))),
        ("(p) & (|0>)", s.And(p, s.Quantum(ket("0")))),
    ],
)
def test_formulas(text: str, tree: s.Formula) -> None:
    assert parse_formula(text) == tree


def rational(numerator: int, denominator: int = 1) -> c.Rational:
    return c.Rational(Fraction(numerator, denominator))


SQRT2, SQRT3 = c.Sqrt(Fraction(2)), c.Sqrt(Fraction(3))


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("|01+-rl>", ket("01+-rl")),
        ("|0⟩", ket("0")),
        ("|->", ket("-")),
        ("|0^3 1>", ket("0001")),
        ("|+^2 0^10>", ket("++0000000000")),
        ("|0>|+>", ket("0+")),
        ("1/sqrt(3) |001>", ket("001", c.Div(c.ONE, SQRT3))),
        ("i sqrt(2)/sqrt(3) |011>", ket("011", c.Div(c.Mul(c.Imaginary(), SQRT2), SQRT3))),
        ("0.5 |0>", ket("0", rational(1, 2))),
        ("0.70710678 |0>", ket("0", c.Literal("0.70710678"))),
        ("-|0>", ket("0", rational(-1))),
        ("exp(0.3i)|1>", ket("1", c.Exp(c.Mul(rational(3, 10), c.Imaginary())))),
        (
            "2 (|0> - |1>)",
            s.Ket((s.Term(rational((2)), "0"), s.Term(rational(-2), "1"))),
        ),
        ("(|0>+|1>)(|0>+|1>)", s.Ket(tuple(s.Term(c.ONE, x) for x in ("00", "01", "10", "11")))),
        ("span(|0>, a)", s.Span((ket("0"), a))),
        ("|0> on q[0], r", s.On(ket("0"), (s.Ref("q", 0), s.Ref("r")))),
        ("|0> + |1> on (q[0])", s.On(s.Ket((s.Term(c.ONE, "0"), s.Term(c.ONE, "1"))), (s.Ref("q", 0),))),
        ("~|0> on q", s.Complement(s.On(ket("0"), (s.Ref("q"),)))),
        ("stab(XZZXI, -IXZZX, +I^5)", s.Stab(("XZZXI", "-IXZZX", "IIIII"))),
        ("full /\\ zero", s.Meet(s.Full(), s.Zero())),
        ("sp(enc) \\/ sp(@3)", s.Join(s.SpOf("enc"), s.SpOf("@3"))),
        ("a ∧ b ∨ a", s.Join(s.Meet(a, b), a)),
        ("a⊥⊥", s.Complement(s.Complement(a))),
    ],
)
def test_subspaces(text: str, tree: s.Subspace) -> None:
    assert parse_subspace(text) == tree


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("AG (p", 6, "'(' is not closed"),
        ("AG p)", 5, "nothing is open"),
        ("A[(p]", 5, "innermost open bracket is '('"),
        ("A[p U q", 8, "'[' is not closed"),
        ("A[p]", 4, "expected U, W or R"),
        ("A p U q", 3, "A[p U q]"),
        ("A (p U q)", 6, "A[p U q]"),
        ("p U q", 3, "until needs brackets"),
        ("~EF p", 2, "to negate a formula write !"),
        ("~(EF p)", 3, "to negate a formula write !"),
        ("~A[p U q]", 4, "to negate a formula write !"),
        ("a /\\ EF p", 6, "write & and |"),
        ("a /\\ (b & p)", 7, "quantum connectives"),
        ("~(p -> q)", 3, "a subspace is expected"),
        ("~(c == 1)", 3, "a subspace is expected"),
        ("~c[0]", 2, "classical bit 'c[0]'"),
        ("~true", 2, "the whole space is full"),
        ("p q", 3, "several formulas"),
        ("AG p AG q", 6, "several formulas"),
        ("AG p; AG q", 5, "several formulas"),
        ("p &", 4, "expected a formula"),
        ("p && q", 4, "write &"),
        ("p || q", 4, "write |"),
        ("c = 3", 3, "write =="),
        ("p => q", 3, "write ->"),
        ("АG p", 1, "U+0410"),
        ("p − q", 3, "looks like '-'"),
        ("|012>", 1, "'2' is no letter of a ket"),
        ("|>", 1, "0 1 + - r l"),
        ("always p -> q", 8, "write AG p"),
        ("eventually (p)", 1, "write AF p"),
        ("G (p -> q)", 1, "write AG for all paths"),
        ("P(c == 0) >= 0.5", 3, "write P>=1/2 [F leaf & c == 0]"),
        ("|0> on q[1:]", 12, "write the end of the slice"),
        ("|0> on q[-1]", 10, "counted from 0"),
        ("|psi>", 1, "define a proposition and write psi"),
        ("|0^{4}>", 1, "as in |0^100>"),
        ("|0...0>", 1, "as in |0^100>"),
        ("|0>^10", 1, "repeat letters inside"),
        ("|0>⊗|1>", 4, "write kets side by side"),
        ("|0^0>", 1, "0 times"),
        ("|0^11^2>", 1, "kets are written with"),
        ("|0" + "^11111" * 40, 1, "unexpected '|'"),
        ("|0^999999>", 1, "more than 100000 letters"),
        ("|0^" + "9" * 5000 + ">", 1, "more than 100000 letters"),
        ("c == 0x" + "f" * 10_000, 6, "a number of more than 10000 bits"),
        ("c == " + "9" * 999 + " * 0x" + "f" * 2400, 1, "a number of more than 10000 bits"),
        ("c[0:100000] == 3", 1, "a slice of more than 10000 bits"),
        ("AG @" + "1" * 5000, 23, "unexpected '1"),
        (f"sqrt({'7' * 170}*{'7' * 170}) |0>", 1, "not between 1e-150 and 1e+150"),
        ("10^200 |0> + |1>", 1, "not between 1e-150 and 1e+150"),
        ("1/10^400 |0> + |1>", 1, "not between 1e-150 and 1e+150"),
        ("exp(i*10^400) |0>", 1, "not between 1e-150 and 1e+150"),
        ("(9^3000)^9999 |0>", 1, "a number of more than 10000 bits"),
        (f"at most 1 of ({', '.join(f'c == {k}' for k in range(400))})", 1, "400 formulas are counted"),
        ("|W99999>", 1, "letters all together"),
        ("p |r->q", 7, "write blanks around |"),
        ("|0^2 1 +^2 0>", 1, "' ' is no letter of a ket"),
        ("|0> + |11>", 1, "one length"),
        ("|0> + 1", 1, "cannot be added"),
        ("a + |0>", 1, "only kets and numbers"),
        ("|0> / |1>", 1, "division by a ket"),
        ("1/0 |0>", 1, "division by zero"),
        ("1/(sqrt(2) - sqrt(2)) |0>", 1, "division by zero"),
        ("(i + exp(-i pi/2))^-1 |0>", 1, "division by zero"),
        ("sqrt(-2) |0>", 1, "i sqrt(2)"),
        ("sqrt(pi) |0>", 1, "sqrt takes a rational"),
        ("sqrt(|0>) |0>", 6, "not a ket"),
        ("exp(2) |0>", 1, "imaginary"),
        ("exp(i pi pi) |0>", 1, "pi may occur only once"),
        ("2^99999 |0>", 1, "larger than"),
        ("AG 3", 4, "a number is no formula"),
        ("3 == 4", 1, "comparison of two numbers"),
        ("c == 0.5", 6, "can be compared"),
        ("c[x]", 3, "expected an integer"),
        ("stab(XX, Z)", 9, "one length"),
        ("stab(ABC)", 6, "Pauli string"),
        ("|0> on 3", 8, "expected a name"),
        ("|00> on q[0], q[0]", 9, "named twice"),
        ("span(|0> on q[0], |1>)", 10, "put parentheses"),
        ("P=0.5 [F p]", 1, "P=? to see the probability"),
        ("P>=1.5 [F p]", 1, "between 0 and 1, not at 1.5"),
        ("P>=0.5 F p", 8, "P>=0.9 [p U q]"),
        ("P<1/pi [F p]", 9, "put the number in parentheses"),
        ("P>=1/0 [F p]", 4, "division by zero"),
        ("~P>=1/2 [F p]", 9, "to negate a formula write !"),
        ("!" * 400 + "p", 1, "nested more than"),
        ("$", 1, "unexpected '$'"),
    ],
)
def test_errors_are_located_and_helpful(text: str, column: int, words: str) -> None:
    with pytest.raises(SpecError) as caught:
        parse_formula(text)
    message = str(caught.value)
    assert message.startswith(f"line 1, column {column}: ")
    assert words in message
    picture = message.splitlines()
    assert picture[2].index("^") == 4 + column - 1


@pytest.mark.parametrize("text", ["", "  \n "])
def test_empty_text(text: str) -> None:
    with pytest.raises(SpecError, match="empty"):
        parse_formula(text)


@pytest.mark.parametrize(
    ("text", "words"), [("a & b", "'&' combines formulas"), ("3", "a number is no subspace")]
)
def test_subspace_texts_are_no_formulas(text: str, words: str) -> None:
    with pytest.raises(SpecError, match=words):
        parse_subspace(text)


def test_positions_are_those_of_the_file() -> None:
    with pytest.raises(SpecError) as caught:
        parse_formula("AG (p &\n  )", Source("prog.qasm", 4, 11))
    assert str(caught.value).startswith("prog.qasm:5:3: unexpected ')'")
    with pytest.raises(SpecError) as caught:
        parse_formula("AG )", Source("prog.qasm", 4, 11))
    assert caught.value.source == Source("prog.qasm", 4, 14)


def test_long_sums_and_stabiliser_groups_parse() -> None:
    width = 400
    terms = " + ".join(f"|{'0' * k}1{'0' * (width - 1 - k)}>" for k in range(width))
    tree = parse_subspace(f"({terms})/20")
    assert isinstance(tree, s.Ket)
    assert [term.letters.index("1") for term in tree.terms] == list(range(width))
    chain = ", ".join("I" * k + "ZZ" + "I" * (98 - k) for k in range(99))
    assert len(parse_subspace(f"stab({chain}) on q").subspace.paulis) == 99  # type: ignore[union-attr]


TOKENS = re.findall(
    r"\S+",
    r"""p q c[0] A E AG EF X U W [ ] ( ) ! ~ & | -> <-> /\ \/ ⊥ ∀ □ ¬ ∧ |0> |+-> 1 2.5 i pi sqrt( exp( span(
    stab( sp( XZ , on q[1] + - * / ^ == < P=1 P>0 true full @3 'x y' 'leaf' '@7' 'l1' leaf l1 ' " $""",
)


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(TOKENS), max_size=12).map(" ".join))
def test_any_text_is_parsed_or_refused_politely(text: str) -> None:
    for parse in (parse_formula, parse_subspace):
        try:
            tree = parse(text)
        except SpecError as error:
            assert str(error)
        else:
            assert parse(to_text(tree)) == tree


@pytest.mark.parametrize(
    "text", ["(" * 50_000, "~" * 5_000 + "a", "p & " * 5_000, "|" * 10_000, "'" * 10_001]
)
def test_absurd_texts_are_refused(text: str) -> None:
    with pytest.raises(SpecError):
        parse_formula(text)


def test_long_lines_are_quoted_in_part() -> None:
    with pytest.raises(SpecError) as caught:
        parse_formula(" & ".join(["p"] * 100) + " $")
    assert max(map(len, str(caught.value).splitlines())) < 150


def test_exponents_in_other_bases() -> None:
    assert parse_subspace("2^0x10 |0>") == parse_subspace("65536 |0>")
    assert parse_subspace("2^-0b11 |0>") == parse_subspace("1/8 |0>")


def test_many_values_make_no_deep_formula() -> None:
    wanted = set(range(0, 40_000, 2))
    formula = parse_formula(f"c in {{{', '.join(map(str, wanted))}}}")
    found, waiting = set(), [(formula, 1)]
    while waiting:
        part, depth = waiting.pop()
        assert depth < 70
        if isinstance(part, s.Or):
            waiting += [(part.left, depth + 1), (part.right, depth + 1)]
        else:
            assert isinstance(part, s.Compare) and part.op == "==" and isinstance(part.right, int)
            found.add(part.right)
    assert found == wanted


def test_products_of_sums_are_bounded_all_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "MOST_EXPANDED", 1000)
    assert parse_subspace("(|0>+|1>)" * 5)
    with pytest.raises(SpecError, match="more than 1,000 letters"):
        parse_subspace(" \\/ ".join(["(|0>+|1>)" * 5] * 4))
