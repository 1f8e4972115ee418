"""A value has the same type whether the reader knows it or the running program does."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from qiskit import QuantumCircuit, qasm3
from qiskit.circuit import ClassicalRegister, QuantumRegister
from qiskit.circuit.classical import expr, types

import qismc
from qismc.common.source import Source
from qismc.errors import ProgramError
from qismc.program.qasm3 import read_qasm3
from qismc.program.qasm3.arithmetic import angle_binary
from qismc.program.qasm3.values import Angle

HEAD = 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit q;\n'
HERE = Source("f", 1, 1)
TYPES = {"uint[2]": (0, 3), "uint[4]": (0, 15), "int[3]": (-4, 3), "int[4]": (-8, 7), "bool": (0, 1)}


def end(text: str, register: str = "s") -> int:
    """The one value that a register has at the end."""
    found = qismc.Model(HEAD + text).outcomes(register)
    (value,) = found
    return int(value)


names = st.sampled_from(["a", "b", "1", "3", "9"])
operators = st.sampled_from(["+", "-", "*", "&", "|", "^", "<", "==", ">=", "&&"])
leaves = names | names.map("-{}".format) | names.map("~{}".format) | names.map("!{}".format)
expressions = st.recursive(
    leaves,
    lambda inner: st.tuples(inner, operators, inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
    max_leaves=4,
)


@st.composite
def declarations(draw: st.DrawFn) -> list[str]:
    found = []
    for name in "ab":
        kind = draw(st.sampled_from(sorted(TYPES)))
        value = draw(st.integers(*TYPES[kind]))
        found.append(
            f"{kind} {name} = {'true' if value else 'false'};"
            if kind == "bool"
            else f"{kind} {name} = {value};"
        )
    return found


@settings(deadline=None, max_examples=80)
@given(declarations(), expressions)
def test_constants_and_variables_agree(declared: list[str], expression: str) -> None:
    rest = f"\nuint[8] s = uint[8]({expression});\nuint[8] t = 0;\nif ({expression}) {{ t = 1; }}\n"
    one, other = "\n".join(declared) + rest, "\n".join(f"const {line}" for line in declared) + rest
    assert (end(one), end(one, "t")) == (end(other), end(other, "t"))


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_texts_agree_with_the_circuits_that_qiskit_writes_them_for(data: st.DataObject) -> None:
    """Registers and unsigned variables of one width, with literals that fit."""
    bits = ClassicalRegister(3, "c")
    circuit = QuantumCircuit(QuantumRegister(3, "q"), bits)
    for k in range(3):
        if data.draw(st.booleans()):
            circuit.x(k)
    circuit.measure(range(3), range(3))
    s = circuit.add_var("total", expr.lift(data.draw(st.integers(0, 7)), types.Uint(3)))

    def term(depth: int) -> expr.Expr:
        kind = data.draw(st.integers(0, 2 if depth == 0 else 8))
        if kind < 3:
            return [expr.lift(bits), expr.lift(s), expr.lift(data.draw(st.integers(0, 7)), types.Uint(3))][
                kind
            ]
        combine = [expr.add, expr.sub, expr.mul, expr.bit_and, expr.bit_or, expr.bit_xor][kind - 3]
        left = term(depth - 1)
        other = term(depth - 1)
        return combine(left, other if isinstance(left, expr.Value) is False else expr.lift(bits))

    circuit.store(s, term(2))
    with circuit.if_test(expr.less(term(1), expr.lift(bits))):
        circuit.store(s, expr.bit_not(s))
    assert dict(qismc.Model(qasm3.dumps(circuit)).outcomes("total")) == dict(
        qismc.Model(circuit).outcomes("total")
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("bit[2] c = 3; uint[2] s = 2*c[1]; s += c[0];", 3),
        ("bit c = 1; uint[4] s = c + 1;", 2),
        ("bit c = 1; int[4] s = 1 - 2*c;", -1),
        ("bool b = true; uint[4] s = b + b;", 2),
        ("bit[2] c = 3; bit[2] d = 2; uint[2] s = c + d;", 1),
        ("uint[2] a = 1; uint[8] s = a * 100;", 100),
        ("uint[2] a = 1; uint[8] s = a | 4;", 5),
        ("uint[2] a = 3; uint[8] s = uint[8](a) + 3;", 6),
        ("int[8] a = -1; uint[8] b = 2; uint[8] s = a / b;", 127),
        ("uint[1] s = ~true;", 0),
        ("uint[1] s = ~(1 == 1);", 0),
        ("uint[4] s = 0; for uint[2] i in {3} { s = i + i; }", 2),
        ("def f(uint[2] n) -> uint[4] { return n + n; } uint[4] s = f(3);", 2),
        ("const uint n = 2; def f(uint[n] k) -> uint[4] { return k; } uint[4] m = 7; uint[4] s = 0;"
         " if (true) { const uint n = 4; s = f(m); }", 3),
        ("uint[8] s = 0; for uint i in {1, 2, 3} { uint[i] k = 7; s += k; }", 11),
    ],
)  # fmt: skip
def test_sums(text: str, expected: int) -> None:
    assert end(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int[3] k = -1; s = a[k];", 1),
        ("int[3] k = -4; s = a[k];", 0),
        ("int[4] k = -5; s = a[k];", 0),
        ('const bit[4] z = "1000"; s = z[-1];', 1),
        ('bit[4] b = "1111"; s = (a & b)[-1];', 1),
        ('int[3] k = -1; a = "0000"; a[k] = 1; s = a[3];', 1),
        ('uint[3] k = 7; a = "0000"; a[k] = 1; s = a[3];', 0),
        ("int[3] k = -1; a[k] ^= 1; s = a[3];", 0),
    ],
)
def test_places_from_the_end(text: str, expected: int) -> None:
    assert end(f'bit[4] a = "1000"; bit s; {text}') == expected


def test_a_call_in_the_place_of_an_assignment_is_made_once() -> None:
    called = "def f(qubit p) -> uint[1] { x p; bit m = measure p; return uint[1](m); }"
    assert end(f"bit[2] a; {called} a[f(q)] |= 1; uint[2] s = a;") == 2


def test_lost_carries_are_told() -> None:
    told = read_qasm3(HEAD + "bit[2] c = 3; uint[4] s = c + 1;", "p.qasm", "p").warnings
    assert [w for w in told if "wraps around at 2 bits before it is assigned to 4" in w]
    assert not read_qasm3(HEAD + "uint[4] c = 3; uint[4] s = c + 1; s += 1;", "p.qasm", "p").warnings


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("uint[5000] a = 1;", "an integer cannot have 5,000 bits"),
        ("const angle[60] a = pi;", "an angle cannot have 60 bits"),
        ("const angle[8] a = pi; rx(a * 0.5) q;", "an angle and 0.5"),
        ("const angle[8] a = pi; rx(a / a) q;", "two angles"),
        ("const angle[8] a = pi; rx(2 / a) q;", "cannot be applied to an angle"),
        ("const angle[8] a = pi; rx(a / 0) q;", "divided by zero"),
        ("uint[2] s = 5[0];", "an index of this value"),
        (f"uint[2] a = 1; uint[2] s = {' + '.join(['a'] * 3000)};", "more than 300 terms"),
        ("gate f a { h a; } gate h a { x a; }", "gate 'h' has been used before it is defined"),
    ],
)
def test_errors(text: str, message: str) -> None:
    with pytest.raises(ProgramError, match=message):
        read_qasm3(HEAD + text, "p.qasm", "p")


# --- angles ------------------------------------------------------------------------------------------------


@given(st.floats(-50, 50), st.integers(1, 50))
def test_angles_are_the_nearest_multiples(value: float, width: int) -> None:
    angle, step = Angle(value, width), math.tau / 2**width
    assert 0 <= angle < math.tau and angle.steps * step == pytest.approx(float(angle), abs=1e-12)
    distance = (value - angle) % math.tau
    assert min(distance, math.tau - distance) <= step / 2 + 1e-12


@given(st.integers(0, 2**20 - 1), st.integers(0, 2**20 - 1), st.integers(1, 9))
def test_angles_are_unsigned_numbers(one: int, other: int, factor: int) -> None:
    a, b = (Angle(math.tau * k / 2**20, 20) for k in (one, other))
    results = {"+": one + other, "-": one - other}
    for op, steps in results.items():
        found = angle_binary(op, a, b, HERE)
        assert isinstance(found, Angle) and found.steps == steps % 2**20
    product, quotient = angle_binary("*", factor, a, HERE), angle_binary("/", a, factor, HERE)
    assert isinstance(product, Angle) and product.steps == one * factor % 2**20
    assert isinstance(quotient, Angle) and quotient.steps == one // factor


def test_angles_without_a_width_are_not_rounded() -> None:
    assert (
        Angle(0.3, None) == 0.3 and Angle(3 * math.pi, None) == math.pi and Angle(-math.pi, None) == math.pi
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int[4] x = -1; int i = 7; uint[1] s = x[i];", 0),
        ("bit[2] c = 1; int i = 0; c[i] += 1; uint[2] s = c;", 0),
        ("bit[2] c = 0; int i = 0; c[i] = 2; uint[2] s = c;", 0),
        ("uint[2] a = 3; int[8] k = 4; uint[2] s = a >> k;", 0),
        ("const uint[64] a = 9007199254740993; uint[8] s = a % 10;", 3),
        ("uint[64] a = 9007199254740993; uint[8] s = a % 10;", 3),
        ("uint[4] a = 15; const uint[4] k = 3; uint[8] s = a + (1 << k);", 23),
        ("uint[4] a = 15; uint[4] k = 3; uint[8] s = a + (1 << k);", 23),
        ("uint[32] a = 5; uint[1] s = a > -1;", 0),
        ("uint[4] a = 5; uint[1] s = a > -1;", 1),
        ("uint[8] x = 255; const int[8] k = -1; uint[1] s = 0; switch (x) { case k { s = 1; } }", 1),
        ("int[8] x = -1; const uint[8] k = 255; uint[1] s = 0; switch (x) { case k { s = 1; } }", 1),
        ("int[1] x = -1; uint[1] s = x == true;", 0),
    ],
)  # fmt: skip
def test_corners(text: str, expected: int) -> None:
    assert end(text) == expected


def test_angles_beside_what_is_not_rounded() -> None:
    found = angle_binary("+", Angle(0.0, 3), Angle(0.1, None), HERE)
    assert isinstance(found, Angle) and found == 0.1 and found.width is None
    with pytest.raises(ProgramError, match="no number"):
        read_qasm3(HEAD + "const int x = 1e400;", "p.qasm", "p")
