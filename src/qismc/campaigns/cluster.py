"""Mutants on an existing cluster, through Dask."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any

from qismc.errors import UsageError
from qismc.parallel import Lent

CONNECT_SECONDS = 10.0


def lent(executor: Executor) -> Lent:
    """An executor that is not ours. Dask's futures stay open when the scheduler ends: its client knows."""
    client = getattr(executor, "_client", None)

    def gone() -> str | None:
        if getattr(client, "status", "running") in ("running", "connecting", "newly-created"):
            return None
        return "the Dask scheduler has gone away"

    return Lent(executor, gone)


@contextmanager
def dask_pool(address: str) -> Iterator[Callable[[], Executor]]:
    """Executors of a Dask cluster; it moves the work of a lost worker to another one by itself."""
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError:
        raise UsageError("--dask needs dask.distributed", hint="pip install 'qismc[dask]'") from None
    try:
        client = distributed.Client(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError, TimeoutError) as error:
        raise UsageError(f"no Dask scheduler answers at '{address}': {error}") from None
    try:
        yield lambda: lent(client.get_executor(pure=False))
    finally:
        client.close()
