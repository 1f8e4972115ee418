"""Threads of NumPy's linear algebra, as threadpoolctl sees them."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType

import pytest

import qismc
from qismc import Model, QuantumCircuit
from qismc.common import process
from qismc.common.process import bulk_allocation, rare_collection


class Library:
    """What threadpoolctl offers, over a library of eight threads."""

    threads = 8

    def select(self, user_api: str) -> Library:
        assert user_api == "blas"
        return self

    @property
    def lib_controllers(self) -> list[Library]:
        return [self]

    def get_num_threads(self) -> int:
        return Library.threads

    def set_num_threads(self, threads: int) -> None:
        Library.threads = threads


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    process._libraries.cache_clear()
    yield
    process._libraries.cache_clear()


def test_libraries_take_no_more_than_a_check(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("threadpoolctl")
    module.ThreadpoolController = Library  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "threadpoolctl", module)
    for most, expected in ((1, 1), (3, 3), (9, 8)):
        with process.blas_threads(most):
            assert Library.threads == expected
        assert Library.threads == 8


@pytest.mark.parametrize("module", ["qismc.deciders.pipeline", "qismc.model.model"])
def test_a_check_and_conditions_limit_them(monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    asked: list[int] = []

    @contextmanager
    def noted(most: int) -> Iterator[None]:
        asked.append(most)
        yield

    monkeypatch.setattr(import_module(module), "blas_threads", noted)
    for threads in (1, 2):
        qismc.check(QuantumCircuit(1), "AG |0>", threads=threads)
        model = Model(QuantumCircuit(1), threads=threads)
        assert model.sp("leaf").dimension == 1 and model.wp("leaf").dimension == 2
    assert list(dict.fromkeys(asked)) == [1, 2]


def test_nothing_happens_without_threadpoolctl(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "threadpoolctl", None)
    with process.blas_threads(1):
        assert process._libraries(()) == []


def test_real_libraries() -> None:
    threadpoolctl = pytest.importorskip("threadpoolctl")
    with process.blas_threads(1):
        assert all(
            pool["num_threads"] == 1 for pool in threadpoolctl.threadpool_info() if pool["user_api"] == "blas"
        )


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
