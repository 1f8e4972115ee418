"""Forge certificates for a given time, with fresh programs all the time.

    python -m tests.verifier.forge --seconds 600 --seed 1

Each failure is printed with the seed of its round. The exit status is 1 if there was one.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from pathlib import Path
from random import Random

from .cases import Case, case, example_cases
from .judge import Ledger, attempt

EXAMPLES = Path(__file__).parents[3] / "examples"
CASES, ATTEMPTS = 4, 30
MOST_FAILURES = 20


def round_of(seed: int, ledger: Ledger, attempts: int = ATTEMPTS, given: tuple[Case, ...] = ()) -> None:
    """Some programs, and forged certificates of them; what is forged depends on the seed alone."""
    random = Random(seed)
    cases = [*given, *(made for made in (case(random) for _ in range(CASES)) if made is not None)]
    for _ in range(attempts * bool(cases)):
        attempt(random.choice(cases), cases, random, ledger)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.verifier.forge", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600.0, help="of processor time")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="of the first round")
    given = parser.parse_args()
    ledger, failures, seed = Ledger(), 0, given.seed
    examples = tuple(example_cases(EXAMPLES))
    while time.process_time() < given.seconds and failures < MOST_FAILURES:
        try:
            round_of(seed, ledger, given=examples if seed % 50 == 0 else ())
        except Exception:
            failures += 1
            sys.stdout.write(f"round {seed}:\n{traceback.format_exc()}\n")
        seed += 1
    sys.stdout.write(f"seeds {given.seed} to {seed - 1}: {ledger}; {failures} failures\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
