"""Damaged inputs for a given time: `python -m tests.fuzz --seconds 600 [--target qpy] [--seed 7]`.

Inputs that end in neither a result nor an error of ours are written to `--found`; the exit status is then 1.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import hashlib
import os
import resource
import signal
import sys
import time
import traceback
from pathlib import Path
from random import Random
from types import FrameType

from .mutation import mutated
from .targets import CORPUS, TARGETS, accepts

SECONDS_EACH = 60
ADDRESS_SPACE = 6 << 30


class TooLong(BaseException):
    """An input takes longer than any of this size should."""


def _late(_: int, __: FrameType | None) -> None:
    raise TooLong


def fuzz(target: str, seconds: float, random: Random, found: Path) -> tuple[int, int, int]:
    """How many inputs were read, refused, and neither."""
    corpus = [file.read_bytes() for file in sorted((CORPUS / target).iterdir())]
    read = refused = 0
    failures: collections.Counter[str] = collections.Counter()
    end = time.process_time() + seconds
    while time.process_time() < end:
        data = mutated(random.choice(corpus), corpus, random)
        signal.setitimer(signal.ITIMER_REAL, SECONDS_EACH)
        try:
            accepted = accepts(target, data)
            read, refused = read + accepted, refused + (not accepted)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            failures[_keep(found, target, data, error)] += 1
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    for place, count in failures.items():
        sys.stdout.write(f"{target}: {count} times {place}\n")
    return read, refused, sum(failures.values())


def _keep(found: Path, target: str, data: bytes, error: BaseException) -> str:
    """Write the first input of each kind of failure."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "qismc" in frame.filename]
    last = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "?"
    place = f"{type(error).__name__} at {last}"
    folder = found / target
    folder.mkdir(parents=True, exist_ok=True)
    name = folder / hashlib.sha256(place.encode()).hexdigest()[:12]
    if not name.exists():
        name.write_bytes(data)
        name.with_suffix(".txt").write_text("".join(traceback.format_exception(error)), encoding="utf-8")
    return place


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600.0, help="CPU time for all targets together")
    parser.add_argument("--target", choices=sorted(TARGETS), action="append")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--found", type=Path, default=Path("fuzz-found"))
    given = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    signal.signal(signal.SIGALRM, _late)
    seed = int.from_bytes(os.urandom(4)) if given.seed is None else given.seed
    wanted, failed = given.target or sorted(TARGETS), 0
    with contextlib.suppress(KeyboardInterrupt):
        for target in wanted:
            numbers = fuzz(target, given.seconds / len(wanted), Random(f"{target}{seed}"), given.found)
            read, refused, failures = numbers
            sys.stdout.write(f"{target}, seed {seed}: {read} read, {refused} refused, {failures} failed\n")
            sys.stdout.flush()
            failed += failures
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
