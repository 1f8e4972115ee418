"""Attributes that are worked out once are those of functools, but for its lock."""

from __future__ import annotations

from dataclasses import dataclass

from qismc.common.lazily import cached_property


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


def test_of_the_class_it_is_the_attribute_itself() -> None:
    assert isinstance(Square.area, cached_property)
    assert Square.area.__doc__ == "The side, squared."
