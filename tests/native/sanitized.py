"""The tests of the native module, and some checks, with a module that is instrumented by sanitizers.

    python -m tests.native.sanitized build/sanitize address,undefined|thread [pytest arguments]

Python itself is not instrumented, so the runtime of the sanitizers must be there before it starts.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
TESTS = (
    "tests/native",
    "tests/golden",
    "tests/stabiliser",
    "tests/levels",
    "tests/probability",
    "tests/engines",
    "tests/numbers",
)
"""Whatever calls the native module in a way of its own."""
OF_THREADS = ("tests/native/test_threads.py", "tests/test_check.py", "tests/test_limits.py", "-k", "thread")
OPTIONS = {
    "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=1",  # Python keeps memory on purpose
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
    "TSAN_OPTIONS": "halt_on_error=1:report_bugs=1",
}


def runtime(kinds: str) -> str:
    """The libraries that the compiler links programs with."""
    names = ["libtsan.so"] if kinds == "thread" else ["libasan.so", "libubsan.so"]
    names.append("libstdc++.so")
    found = [
        subprocess.check_output(["gcc", f"-print-file-name={name}"], text=True).strip() for name in names
    ]
    return " ".join(path for path in found if os.sep in path)


def main(folder: str, kinds: str, *arguments: str) -> int:
    with tempfile.TemporaryDirectory() as place:
        shutil.copytree(
            ROOT / "src", Path(place) / "src", ignore=shutil.ignore_patterns("*.so", "__pycache__")
        )
        for module in Path(folder).glob("_core*.so"):
            shutil.copy(module, Path(place) / "src" / "qismc")
        environment = {**os.environ, **OPTIONS, "PYTHONPATH": f"{place}/src", "LD_PRELOAD": runtime(kinds)}
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-x",
            "-p",
            "no:cacheprovider",
            *(arguments or (OF_THREADS if kinds == "thread" else TESTS)),
        ]
        return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
