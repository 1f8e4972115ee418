"""Limits hold for the whole process: its processor time and its size, from its start until it is gone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.measured import assert_within, used_by

pytestmark = pytest.mark.skipif(not hasattr(os, "wait4"), reason="the system does not tell what was used")
HEAD = 'OPENQASM 3.0;\ninclude "stdgates.inc";\n'
SECONDS, MEMORY_MB = 4, 400
LIMITS = ("--timeout", str(SECONDS), "--memory", str(MEMORY_MB))
WIDE = f"{HEAD}qubit[1000000] q;\nbit c;\nh q[0];\nx q[5];\nc = measure q[0];\n"
WIDE += "//@ spec AG (leaf -> |0> on q[0])\n"
BITS = f"{HEAD}qubit[100000] q;\nbit[100000] c;\nh q;\nc = measure q;\n//@ spec AG (leaf -> c == 0)\n"
LONG = f"{HEAD}qubit q;\nbit c;\nuint[32] n = 0;\nwhile (n < 1000000000) {{ n += 1; h q; c = measure q; }}\n"
LONG += "//@ spec AG (leaf -> |0>)\n//@ spec ends: AF leaf\n"
GATES = f"{HEAD}qubit[30] q;\nbit[30] c;\n" + 5_000 * (
    "h q[3]; t q[3]; cx q[3], q[7]; t q[7]; h q[12]; cx q[7], q[12]; t q[12]; cx q[12], q[29]; t q;\n"
)
GATES += "c = measure q;\n//@ spec AG (leaf -> c == 0)\n"
DEEP = f"{HEAD}qubit q;\nbit[60] c;\n" + "".join(
    f"h q; c[{k}] = measure q; if (c[{k}]) {{ x q;\n" for k in range(60)
)
DEEP += 60 * "}\n" + "//@ spec AG (leaf -> |0>)\n"
PROGRAMS = {"wide": WIDE, "bits": BITS, "long": LONG, "gates": GATES, "deep": DEEP}
CHECK = "check p.qasm --json --html page.html --sarif log.sarif"
ASKED = [
    *((name, CHECK) for name in PROGRAMS),
    ("wide", "check p.qasm --verbose"),
    ("wide", "show p.qasm --format svg"),
    ("gates", "show p.qasm --unfold"),
    ("long", "outcomes p.qasm --html page.html"),
    ("bits", "outcomes p.qasm --json"),
    ("bits", "equivalent p.qasm p.qasm --html page.html"),
    ("gates", "equivalent p.qasm p.qasm"),
    ("deep", "repair p.qasm --seconds 1"),
]


@pytest.mark.parametrize(("program", "command"), ASKED)
def test_programs_of_any_size(program: str, command: str, tmp_path: Path) -> None:
    (tmp_path / "p.qasm").write_text(PROGRAMS[program])
    used = used_by(*command.split(), *LIMITS, folder=tmp_path)
    assert used.status in (0, 1, 3), used
    assert "internal" not in used.output and "Traceback" not in used.output, used
    assert_within(used, SECONDS, MEMORY_MB)
    assert not [path.name for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_circuits_with_long_loops(tmp_path: Path) -> None:
    (tmp_path / "long.py").write_text(
        "from qiskit import QuantumCircuit\n"
        "qc = QuantumCircuit(1, 1)\n"
        "with qc.for_loop(range(4_000_000)):\n    qc.h(0)\n    qc.measure(0, 0)\n"
    )
    used = used_by("outcomes", "long.py:qc", *LIMITS, folder=tmp_path)
    assert used.status in (2, 3), used
    assert_within(used, SECONDS, MEMORY_MB)


def test_the_library_holds_its_limits_where_nobody_polls(tmp_path: Path) -> None:
    (tmp_path / "asks.py").write_text(
        "import qismc\nfrom qiskit import QuantumCircuit\n"
        "qc = QuantumCircuit(1, 1)\n"
        "with qc.for_loop(range(4_000_000)):\n    qc.h(0)\n    qc.measure(0, 0)\n"
        f"limits = qismc.Limits(seconds={SECONDS}, memory_mb={MEMORY_MB})\n"
        "print(qismc.Model(qc, limits=limits).outcomes())\n"
    )
    used = used_by(folder=tmp_path, python=("asks.py",))
    assert "LimitReached" in used.output or "more than" in used.output, used
    assert_within(used, SECONDS, MEMORY_MB)


def test_the_standard_input_has_limits_too(tmp_path: Path) -> None:
    with (tmp_path / "large").open("wb") as stream:
        stream.truncate(900_000_000)
    used = used_by("check", "-", *LIMITS, folder=tmp_path, text=tmp_path / "large")
    assert used.status == 3 and "limit" in used.output and "during reading" in used.output, used
    assert_within(used, SECONDS, MEMORY_MB)


def test_an_include_of_anything_is_no_way_around_them(tmp_path: Path) -> None:
    (tmp_path / "p.qasm").write_text(HEAD + 'include "/dev/zero";\nqubit q;\n')
    used = used_by("check", "p.qasm", "--include-path", "/dev", *LIMITS, folder=tmp_path)
    assert used.status == 2 and "no regular file" in used.output, used
    assert_within(used, SECONDS, MEMORY_MB)


def test_what_was_registered_for_the_end_is_done_and_everything_is_shown(tmp_path: Path) -> None:
    (tmp_path / "ends.py").write_text(
        "import atexit, sys\nfrom qiskit import QuantumCircuit\n"
        "atexit.register(lambda: print('the very end'))\nqc = QuantumCircuit(1)\n"
    )
    used = used_by("check", "ends.py:qc", "--spec", "AG |1>", folder=tmp_path)
    assert used.status == 1 and "VIOLATED" in used.output and used.output.endswith("the very end\n")
    assert used_by("check", "none.qasm", folder=tmp_path).status == 2
    assert used_by("check", "-", folder=tmp_path).status == 2
    assert used_by("--help", folder=tmp_path).status == 0
