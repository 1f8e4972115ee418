from __future__ import annotations

import math

import pytest

from qismc.common.source import Source
from qismc.errors import ProgramError
from qismc.program.qasm3.scope import BlockScope, may_be_read_unset

from .helpers import tree

HERE = Source("f", 2, 3)


def test_inner_names_hide_outer_ones() -> None:
    outer = BlockScope()
    outer.declare("a", 1, HERE)
    inner = BlockScope(outer)
    inner.declare("a", (0,), HERE)
    assert inner.lookup("a", HERE) == (0,) and outer.lookup("a", HERE) == 1
    assert inner.lookup("pi", HERE) == math.pi


def test_errors() -> None:
    scope = BlockScope()
    scope.declare("theta", 1, HERE)
    with pytest.raises(ProgramError, match="f:2:3: 'theta' is declared twice"):
        scope.declare("theta", 2, HERE)
    with pytest.raises(ProgramError, match=r"unknown name 'thet' \(did you mean 'theta'\?\)"):
        BlockScope(scope).lookup("thet", HERE)


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
    assert may_be_read_unset("k", tree(text)) == CASES[text]
