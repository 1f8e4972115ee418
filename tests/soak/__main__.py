"""Every property-based test again and again with fresh seeds, for a given time.

    python -m tests.soak --seconds 1800 --state soak.json

An interrupted soak goes on where it was. The exit status is 1 if anything disagreed.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

os.environ["QISMC_HYPOTHESIS"] = "deep"  # before the tests are loaded

import pytest

from .ledger import Ledger, listening, report

TESTS = Path(__file__).parents[1]
DEEP = ("soak", "differential", "property")
"""Folders that every round runs; the others run in every third one."""
OTHERS_EVERY = 3


def files(number: int) -> list[str]:
    """The files of a round."""
    found = [
        file for file in sorted(TESTS.rglob("test_*.py")) if "@given" in file.read_text(encoding="utf-8")
    ]
    names = [str(file.relative_to(TESTS)) for file in found]
    chosen = [
        name for name in names if name.split("/")[0] in DEEP or number % OTHERS_EVERY == OTHERS_EVERY - 1
    ]
    return sorted(chosen, key=lambda name: not name.startswith("soak"))


def soak(ledger: Ledger, state: Path, seconds: float) -> None:
    """Round after round; the state is saved after every file."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for name in files(ledger.rounds):
            if name in ledger.done:
                continue
            start = time.monotonic()
            with listening(ledger):
                pytest.main(_arguments(name, ledger.seed), plugins=[ledger])
            ledger.seconds += time.monotonic() - start
            ledger.done.append(name)
            ledger.save(state)
            if time.monotonic() > end:
                return
        ledger.rounds, ledger.done = ledger.rounds + 1, []


def _arguments(name: str, seed: int) -> list[str]:
    quiet = ["-q", "--no-header", "--no-summary", "-p", "no:cacheprovider"]
    return [str(TESTS / name), "-m", "hypothesis", f"--hypothesis-seed={seed}", *quiet]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--seconds", type=float, default=1800.0)
    parser.add_argument("--state", type=Path, default=Path("soak.json"))
    parser.add_argument("--seed", type=int, default=int(time.time()), help="of a fresh soak")
    given = parser.parse_args()
    ledger = Ledger.load(given.state, given.seed)
    try:
        soak(ledger, given.state, given.seconds)
    except KeyboardInterrupt:
        ledger.save(given.state)
    sys.stdout.write(report(ledger) + "\n")
    return 1 if ledger.failures else 0


if __name__ == "__main__":
    sys.exit(main())
