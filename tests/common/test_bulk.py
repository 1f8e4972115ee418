from __future__ import annotations

import gc

import pytest

from qismc.common.bulk import bulk_allocation, rare_collection


def test_the_collector_is_restored() -> None:
    assert gc.isenabled()
    with pytest.raises(RuntimeError), bulk_allocation():
        assert not gc.isenabled()
        with bulk_allocation():
            pass
        assert not gc.isenabled()
        raise RuntimeError
    assert gc.isenabled()


def test_collections_are_rare_and_then_as_before() -> None:
    before = gc.get_threshold()
    with pytest.raises(ValueError, match="x"), rare_collection():
        assert gc.get_threshold()[0] > before[0]
        raise ValueError("x")
    assert gc.get_threshold() == before


def test_checks_that_overlap_leave_the_collector_as_it_was() -> None:
    """As on two threads: the one that began first ends first."""
    before = gc.get_threshold()
    first, second = rare_collection(), rare_collection()
    first.__enter__()
    second.__enter__()
    first.__exit__()
    assert gc.get_threshold()[0] > before[0]
    second.__exit__()
    assert gc.get_threshold() == before


def test_no_collections_and_then_as_before() -> None:
    assert gc.isenabled()
    with pytest.raises(ValueError, match="x"), bulk_allocation():
        assert not gc.isenabled()
        raise ValueError("x")
    assert gc.isenabled()
