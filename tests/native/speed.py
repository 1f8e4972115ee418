"""Instructions of fixed native work, against the band that was recorded for it.

    python -m tests.native.speed build/native_speed [--record]

Times depend on the machine and its other work; instructions do not. They are counted by `perf` where the
system allows it, else by valgrind. Compilers differ, hence a band: what leaves it, in either direction, is a
change to look at.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

RECORD = Path(__file__).with_name("speed.json")
BAND = 0.25
"""The share by which a count may differ from the recorded one."""


def by_perf(program: str, case: str) -> int | None:
    if shutil.which("perf") is None:
        return None
    command = ["perf", "stat", "-x,", "-e", "instructions:u", program, case]
    text = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    found = re.search(r"^(\d+),,instructions:u", text, re.MULTILINE)
    return None if found is None else int(found[1])


def by_valgrind(program: str, case: str) -> int | None:
    if shutil.which("valgrind") is None:
        return None
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, case]
    text = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    found = re.search(r"Collected\s*:\s*(\d+)", text)
    return None if found is None else int(found[1])


def count(program: str, case: str) -> int:
    found = by_perf(program, case) or by_valgrind(program, case)
    if found is None:
        raise SystemExit("neither perf nor valgrind can count instructions here")
    return found


def judged(counts: dict[str, int], recorded: dict[str, int]) -> dict[str, float]:
    """By which share each count differs from the recorded one, for those outside of the band.

    >>> judged({"a": 130, "b": 99}, {"a": 100, "b": 100})
    {'a': 0.3}
    """
    shares = {case: counts[case] / recorded[case] - 1 for case in counts}
    return {case: round(share, 3) for case, share in shares.items() if abs(share) > BAND}


def main(program: str, *options: str) -> int:
    cases = subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()
    counts = {case: count(program, case) for case in cases}
    if "--record" in options:
        RECORD.write_text(json.dumps(counts, indent=1) + "\n", encoding="utf-8")
    outside = judged(counts, json.loads(RECORD.read_text(encoding="utf-8")))
    for case, number in counts.items():
        remark = f"  {outside[case]:+.0%}: outside of the band" if case in outside else ""
        sys.stdout.write(f"{case:12} {number:15,}{remark}\n")
    return 1 if outside else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
