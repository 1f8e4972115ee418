"""Variables, assignments and subroutines: final stores against values worked out by hand."""

from __future__ import annotations

import pytest

from qismc.errors import ProgramError
from qismc.program.statements import Havoc

from ..executor import execute
from .helpers import HEAD, read, texts


def final(text: str, *names: str) -> set[tuple[int, ...]]:
    """The values that some variables can have at the end."""
    program = read(HEAD + "qubit[2] q;\n" + text)
    return {values for _, values in execute(program, 0, list(names))}


CASES = {
    "int[8] k = 5; k += 3; k *= 2; k -= 1;": {"k": 15},
    "int[4] k = 7; k += 1;": {"k": -8},
    "uint[4] k = 15; k += 2;": {"k": 1},
    "int[8] k = -7; int[8] m = k / 2; int[8] r = k % 2;": {"m": -3, "r": -1},
    "uint[8] k = 200; int[8] m = k;": {"m": -56},
    "uint[4] k = 5; uint[4] m = ~k; uint[4] s = k << 2; uint[4] t = k >> 1;": {"m": 10, "s": 4, "t": 2},
    "bit[3] c = \"011\"; bit[3] d = c & 2; bool b = c == 3;": {"c": 3, "d": 2, "b": 1},
    "bit[4] c; c[1] = 1; c[2:3] = 2; bit e = c[3];": {"c": 10, "e": 1},
    "bit[4] c; uint[2] k = 2; c[k] = 1; k = 3; c[k] ^= 1;": {"c": 12},
    "bit[4] c; uint[4] k = 9; c[k] = 1;": {"c": 0},
    "bool a = true; bool b = false; bool c = a && !b || false; bool d = a != c;": {"c": 1, "d": 0},
    "int[8] k = 300;": {"k": 44},
    "bool b = 2; bool c = bool(4) && true; uint[3] k = 6; bool d = k;": {"b": 1, "c": 1, "d": 1},
    "const uint n = 3; const float x = n / 2.0; uint[4] k = n; for int i in [n:-1:1] { k += i; }": {"k": 9},
    "uint[4] k = 0; for int i in [0:2:6] { if (i == 4) continue; k += i; }": {"k": 8},
    "int[8] a = 3; uint[8] b = uint[8](a) - 5; bool lt = b < 10;": {"b": 254, "lt": 0},
    "int[8] k = 0; while (k < 5) { k += 2; }": {"k": 6},
    "uint[2] k = 1; switch (k) { case 0 { k = 3; } case 1, 2 { k = 2; } }": {"k": 2},
    "uint[2] k = 3; if (k < 2 || k >= 3) { k = 0; } else { k = 1; }": {"k": 0},
    'bit[4] c = "01_01"; bit[2] d = c[2:3]; c[0:1] = "10"; bit b = "1"; bool e = c[0] == "0";':
        {"c": 6, "d": 1, "b": 1, "e": 1},
    'const bit[3] m = "011"; bit[3] c = ~m; c = c | (m << 1); bool b = m == "011"; bool d = c == ~"001";':
        {"c": 6, "b": 1, "d": 1},
    'bit[2] c = 7; bit[4] d = "1011"; c = uint[2](d); uint[8] k = d; uint[2] m = d; d = uint[4](c); k &= c;':
        {"c": 3, "d": 3, "k": 3, "m": 3},
    'bit[2] c = "11"; uint[3] k = 3; bool a = c == k; bool b = c == 3; bool d = c && "011"; bool e = c == 7;':
        {"a": 1, "b": 1, "d": 1, "e": 0},
    'uint[4] k = 7; bit[4] d = "0110"; bit[2] a = k & d; bit[2] b = d & k;': {"a": 2, "b": 2},
    'def f(bit[2] a) -> bit[2] { return ~a; } bit[2] c = f("01"); c = f(c);': {"c": 1},
    "uint[8] k = 5; bit b = k[2]; uint[8] m = 1 << 3; uint[4] w = -1;": {"b": 1, "m": 8, "w": 15},
}  # fmt: skip


@pytest.mark.parametrize("text", CASES)
def test_values(text: str) -> None:
    assert final(text, *CASES[text]) == {tuple(CASES[text].values())}


def test_inner_names_hide_outer_ones_and_begin_anew() -> None:
    text = "uint[4] k = 1; uint[4] s = 0; for int i in [0:1] { bit[2] k; s += k; k[1] = 1; s += k; }"
    assert final(text, "k", "s") == {(1, 4)}


def test_uninitialised_and_input_variables_have_any_value() -> None:
    assert final(
        "input uint[2] k; bool b; bool c; if (b) { c = true; } else { c = false; }", "k", "b", "c"
    ) == {(k, b, b) for k in range(4) for b in range(2)}


def test_variables_that_are_set_first_are_not_guessed() -> None:
    program = read(HEAD + "qubit q; int k; bit c; k = 3; bool b; x q; b = k == 3; output int r;")
    assert not any(isinstance(s, Havoc) for s in program.code)


def test_measurement_as_initial_value_and_without_target() -> None:
    program = read(HEAD + "qubit[2] q; h q[0]; bit a = measure q[0]; bit[2] b = measure q; measure q[1];")
    assert {values for _, values in execute(program, 0, ["a", "b"])} == {(0, 0), (1, 1)}
    assert program.variables["_discarded"].hidden


def test_subroutines_return_values_and_act_on_qubits() -> None:
    text = """def parity(qubit[2] a, uint[2] k) -> bit {
      x a[0];
      if (k == 2) { return measure a[0]; }
      return 0;
    }
    uint[2] n = 2; bit r = parity(q, n); n = 1; bit s = parity(q, n); bit t;
    if (parity(q, 2) == 0) { t = 0; } else { t = 1; }"""
    assert final(text, "r", "s", "t") == {(1, 0, 1)}


def test_calls_in_loops_share_their_positions() -> None:
    loop = "def f(bool b) -> bool { return !b; } bool v = false; for int i in [0:%d] { v = f(v); }"
    sizes = {read(HEAD + "qubit q;" + loop % n).store_width for n in (2, 9)}
    assert len(sizes) == 1
    assert final(loop % 2, "v") == {(1,)}


def test_texts() -> None:
    program = read(HEAD + "qubit q; uint[4] k = 2; bool b = k > 1; k <<= 1;")
    assert texts(program) == ["k = 2", "b = k > 1", "k = k << 1", "end"]


def test_real_numbers_that_are_known() -> None:
    program = read(HEAD + "qubit q; float x = 0.25; angle a = 2 * x; rx(x) q; rz(a) q; gphase(x);")
    assert texts(program) == ["rx(0.25) q", "rz(0.5) q", "end"]


ERRORS = {
    "bit c = measure q;": "p.qasm:4:1: a measurement of 2 qubits into 1 bit",
    "bit c; c(1);": "'c' is not a subroutine",
    "def f(qubit a) { return 1; } f(q[0]);": "the subroutine has no return type",
    "k = 3;": "p.qasm:4:1: unknown name 'k'",
    "const int k = 3; k = 4;": "p.qasm:4:18: assignment to 'k'",
    "q = 3;": "assignment to 'q'",
    "int k = 1; const int m = k;": "the constant 'm' depends on a value of the running program",
    "float x;": "'float x' without a value",
    "input angle[8] x;": "'angle x' is not known",
    "complex[float] z;": "the type 'complex' is not supported",
    "array[int[8], 3] a;": "the type 'array' is not supported",
    "bit[0] c;": "a type cannot have width 0",
    "int[8] k = 0.5;": "the number 0.5 in a classical computation",
    "int[8] k = 2; int[8] m = k ** 2;": "'**' of values of the running program",
    "bit[2] c; c[5] = 1;": "index 5 is out of range: the size is 2",
    "for int i in [0:1] { i = 3; }": "assignment to 'i'",
    "for int i in [0:0:3] { }": "the step of a range is 0",
    "def f(qubit a) { x a; } f(q[0], q[1]);": "subroutine 'f' takes 1 arguments, not 2",
    "def f(qubit a) { x a; } bit c = f(q[0]);": "subroutine 'f' returns nothing",
    "def f(bool b) -> bool { return f(b); } bool v = f(true);": "calls of 'f' are nested too deeply",
    "def f(bool b) -> bool { return b; } bool v; while (f(v)) { }": "a subroutine in a loop condition",
    "bool v = g(1);": "the function 'g' is not supported",
    "measure q[0] -> q[1];": "'q' is not a classical register",
}  # fmt: skip


WIDTH_ERRORS = {
    'bit[2] c = "0101";': "4:1: a value of 4 bits is assigned to 2 bits (write 2 digits, ",
    'bit[4] c; c = "01";': "4:11: a value of 2 bits is assigned to 4 bits",
    "bit[4] c; bit[3] d; c = d;": "4:21: a value of 3 bits is assigned to 4 bits",
    "bit[4] c; bit[3] d; d = c;": "4:21: a value of 4 bits is assigned to 3 bits",
    "bit[4] c; bit[3] d = c;": "4:11: a value of 4 bits is assigned to 3 bits",
    "bit[4] c; bit b = c;": "4:11: a value of 4 bits is assigned to 1 bit ",
    "bit[4] c; c[1:2] = c[1:3];": "4:11: a value of 3 bits is assigned to 2 bits",
    "bit[4] c; c[1] = c[1:2];": "4:11: a value of 2 bits is assigned to 1 bit ",
    'bit[4] c; uint[2] k = 1; c[k] = "01";': "4:26: a value of 2 bits is assigned to 1 bit ",
    'uint[4] k; k[0:1] = "011";': "4:12: a value of 3 bits is assigned to 2 bits",
    'bit[4] c; c ^= "01";': "4:11: '^' of 4 bits and 2 bits",
    "bit[4] c; c <<= 1; bit[2] d = ~c;": "4:20: a value of 4 bits is assigned to 2 bits",
    'bit[2] c; if (c == "011") { }': "4:15: '==' of 2 bits and 3 bits (give both the same width, ",
    'bit[2] c; while ("011" != c) { }': "4:18: '!=' of 3 bits and 2 bits",
    "bit[2] c; bit[3] d; bool b = c < d;": "4:30: '<' of 2 bits and 3 bits",
    "bit[2] c; bit[3] d; d = d & c;": "4:25: '&' of 3 bits and 2 bits",
    'const bit[2] c = "0101";': "4:1: a value of 4 bits is assigned to 2 bits",
    'const bit[4] m = "0101"; bit[2] c = m;': "4:26: a value of 4 bits is assigned to 2 bits",
    'const bit[4] m = "0101"; bit[2] c = m & 3;': "4:26: a value of 4 bits is assigned to 2 bits",
    'bool b = "01" == "001";': "4:10: '==' of 2 bits and 3 bits",
    'bit[3] c = "11" << 1;': "4:1: a value of 2 bits is assigned to 3 bits",
    "def f(bit[2] a) { } bit[3] c; f(c);": "4:31: a value of 3 bits is assigned to 2 bits",
    'def f(bit[2] a) { } f("011");': "4:21: a value of 3 bits is assigned to 2 bits",
    'def f() -> bit[2] { return "011"; } bit[2] c = f();': "4:21: a value of 3 bits is assigned to 2 bits",
    "def f() -> bit[2] { return 1; } bit[3] c = f();": "4:33: a value of 2 bits is assigned to 3 bits",
}  # fmt: skip


@pytest.mark.parametrize("text", WIDTH_ERRORS)
def test_bits_of_different_widths_do_not_fit(text: str) -> None:
    with pytest.raises(ProgramError) as error:
        read(HEAD + "qubit[2] q;\n" + text)
    assert str(error.value).startswith("p.qasm:" + WIDTH_ERRORS[text])


@pytest.mark.parametrize("text", ERRORS)
def test_errors(text: str) -> None:
    with pytest.raises(ProgramError) as error:
        read(HEAD + "qubit[2] q;\n" + text)
    assert ERRORS[text] in str(error.value)
