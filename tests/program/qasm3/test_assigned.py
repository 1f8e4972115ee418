from __future__ import annotations

import openqasm3
import pytest

from qismc.program.qasm3.assigned import may_be_read_unset

CASES = {
    "k = 1; b = k;": False,
    "b = k; k = 1;": True,
    "k += 1;": True,
    "k = k + 1;": True,
    "k[0] = 1;": True,
    "k = measure q;": False,
    "k[0] = measure q;": True,
    "b = 1;": False,
    "if (b) { k = 1; } else { k = 2; } b = k;": False,
    "if (b) { k = 1; } b = k;": True,
    "if (b) { k = 1; } k = 3; b = k;": False,
    "if (k == 1) { }": True,
    "while (b) { k = 1; } b = k;": True,
    "while (b) { k = 1; b = k; }": False,
    "while (b) { b = k; k = 1; }": True,
    "for int i in [0:2] { k = i; b = k; }": False,
    "switch (b) { case 1 { k = 1; } } b = k;": True,
    "switch (b) { case 1 { k = 1; } default { k = 2; } } b = k;": False,
    "box { k = 1; } b = k;": False,
    "{ b = k; }": True,
    "f(k);": True,
}


@pytest.mark.parametrize("text", CASES)
def test_first_uses(text: str) -> None:
    assert may_be_read_unset("k", openqasm3.parse(text).statements) == CASES[text]
