from __future__ import annotations

import gc

import pytest

from qismc.program.bulk import bulk_allocation


def test_the_collector_is_restored() -> None:
    assert gc.isenabled()
    with pytest.raises(RuntimeError), bulk_allocation():
        assert not gc.isenabled()
        with bulk_allocation():
            pass
        assert not gc.isenabled()
        raise RuntimeError
    assert gc.isenabled()
