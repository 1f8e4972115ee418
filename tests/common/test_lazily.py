"""Attributes that are worked out once are those of functools, but for its lock."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from dataclasses import dataclass, replace

from qismc.common.lazily import REMEMBERED, cached_method, cached_property
from qismc.language.parser import parse_formula


@dataclass(frozen=True)
class Square:
    side: int

    @cached_property
    def area(self) -> list[int]:
        """The side, squared."""
        return [self.side * self.side]


def test_what_was_found_is_kept_with_its_owner() -> None:
    small, large = Square(2), Square(3)
    assert small.area == [4] and large.area == [9]
    assert small.area is small.area
    assert vars(small)["area"] is small.area


def test_what_is_kept_is_no_part_of_the_value_and_can_be_forgotten() -> None:
    asked, fresh = Square(2), Square(2)
    found = asked.area
    assert asked == fresh and hash(asked) == hash(fresh)
    del vars(asked)["area"]
    assert asked.area == found and asked.area is not found


def test_answers_are_kept_by_their_arguments() -> None:
    asked: list[tuple[int, ...]] = []

    class Sums:
        @cached_method
        def of(self, *numbers: int) -> int:
            asked.append(numbers)
            return sum(numbers)

    one, other = Sums(), Sums()
    assert [one.of(1, 2), one.of(1, 2), one.of(3), other.of(1, 2)] == [3, 3, 3, 3]
    assert asked == [(1, 2), (3,), (1, 2)]


def test_of_the_class_it_is_the_attribute_itself() -> None:
    assert isinstance(Square.area, cached_property)
    assert Square.area.__doc__ == "The side, squared."


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
