"""Trees that remember their hash are the values that they were before."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from dataclasses import replace

from qismc.common.hashing import REMEMBERED
from qismc.language.parser import parse_formula

TEXT = "AG (leaf -> 1/sqrt(2) |00> + 1/sqrt(2) |11>)"


def test_equal_trees_have_equal_hashes_whoever_was_asked_first() -> None:
    one, other = parse_formula(TEXT), parse_formula.__wrapped__(TEXT)
    assert one is not other
    assert hash(one) == hash(one) == hash(other)
    assert {one: 1}[other] == 1
    assert replace(one, quantifier="E") not in {one: 1}  # type: ignore[call-arg,type-var]


def test_a_remembered_hash_stays_at_home() -> None:
    """In another process texts have other hashes, so that an old one would not be found in any table."""
    tree = parse_formula(TEXT)
    hash(tree)
    assert REMEMBERED in vars(tree)
    assert REMEMBERED not in vars(pickle.loads(pickle.dumps(tree)))
    code = f"""
import pickle, sys
from qismc.language.parser import parse_formula
print(pickle.load(sys.stdin.buffer) in {{parse_formula({TEXT!r}): 1}})
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=pickle.dumps(tree),
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "1"},
    )
    assert done.stdout.strip() == b"True"
