"""pyModelChecking, an independent model checker for CTL, as a process in an environment of its own.

It needs `lark-parser`, which owns the same files as the `lark` that QisMC needs, so both never share an
environment. The variable QISMC_PYMODELCHECKING names the Python that has it; `nox -s ctl` makes one.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from qismc.language.syntax import And, Atom, Constant, Formula, Iff, Implies, Not, Or, Temporal

VARIABLE = "QISMC_PYMODELCHECKING"
SERVER = """
import json, sys
from pyModelChecking import Kripke
from pyModelChecking.CTL import Parser, modelcheck
parse = Parser()
for line in sys.stdin:
    edges, labels, formula = json.loads(line)
    states = list(range(len(labels)))
    structure = Kripke(S=states, R=[tuple(edge) for edge in edges], L=dict(enumerate(map(set, labels))))
    print(json.dumps(sorted(modelcheck(structure, parse(formula)))), flush=True)
"""
Ask = Callable[[list[tuple[int, int]], list[list[str]], Formula], frozenset[int]]


@contextmanager
def started() -> Iterator[Ask]:
    """A function of edges, labels of each location and a formula: the locations where it is true."""
    python = os.environ.get(VARIABLE)
    if not python:
        pytest.skip(f"{VARIABLE} names no Python that has pyModelChecking")
    with subprocess.Popen(
        [python, "-c", SERVER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": ""},
    ) as process:
        assert process.stdin is not None and process.stdout is not None

        def ask(edges: list[tuple[int, int]], labels: list[list[str]], formula: Formula) -> frozenset[int]:
            assert process.stdin is not None and process.stdout is not None
            print(json.dumps([edges, labels, text(formula)]), file=process.stdin, flush=True)
            return frozenset(json.loads(process.stdout.readline()))

        yield ask
        process.stdin.close()


def text(formula: Formula) -> str:
    """The formula in pyModelChecking's syntax, with p W q written as q R (p | q)."""
    match formula:
        case Constant(value):
            return "true" if value else "false"
        case Atom(name):
            return name
        case Not(a):
            return f"(not {text(a)})"
        case And(a, b):
            return f"({text(a)} and {text(b)})"
        case Or(a, b):
            return f"({text(a)} or {text(b)})"
        case Implies(a, b):
            return f"({text(a)} --> {text(b)})"
        case Iff(a, b):
            return f"({text(Implies(a, b))} and {text(Implies(b, a))})"
        case Temporal(quantifier, "W", (p, q)):
            return text(Temporal(quantifier, "R", (q, Or(p, q))))
        case Temporal(quantifier, op, (p,)):
            return f"({quantifier} {op} {text(p)})"
        case Temporal(quantifier, op, (p, q)):
            return f"({quantifier} ({text(p)} {op} {text(q)}))"
    raise TypeError(formula)
