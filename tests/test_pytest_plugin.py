"""The plugin, in sessions of their own."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

SUMMARY_TELLS = pytest.version_tuple >= (9,)
"""From pytest 9 on the summary of a session shows the first line of a report that is plain text."""
TESTS = """
import qiskit
import qismc


def plain():
    circuit = qiskit.QuantumCircuit(1, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    return circuit


def test_violated():
    qismc.assert_holds(plain, "AG (leaf -> |0>)")


def test_vacuous():
    qismc.assert_holds(plain, "AG (leaf & c == 2 -> |0>)")


def test_different():
    qismc.assert_equivalent(plain(), qiskit.QuantumCircuit(1))


def test_built_here():
    circuit = qiskit.QuantumCircuit(1)
    circuit.x(0)
    qismc.assert_holds(circuit, "AG (leaf -> |0>)")


def ask(circuit, formula):
    qismc.assert_holds(circuit, formula)


def test_mistyped():
    ask(plain, "AG (lef -> |0>)")


def test_fine():
    qismc.assert_holds(plain, "AF leaf")


def test_truth():
    assert qismc.check(plain, "AG (leaf & c == 3 -> |0>)")
"""


def session(folder: Path, settings: str, *tests: str) -> str:
    (folder / "pyproject.toml").write_text(f"[tool.pytest.ini_options]\n{settings}")
    (folder / "test_it.py").write_text(TESTS)
    installed = any(entry.name == "qismc" for entry in entry_points(group="pytest11"))
    plugin = [] if installed else ["-p", "qismc.pytest_plugin"]
    names = [f"test_it.py::test_{name}" for name in tests]
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--strict-config", *plugin, *names]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def test_the_report_is_the_failure(tmp_path: Path) -> None:
    shown = session(tmp_path, "", "violated", "fine", "different", "vacuous", "built_here")
    assert "3 failed, 2 passed" in shown
    assert 'test_it.py:14: qismc.assert_holds(plain, "AG (leaf -> |0>)")' in shown
    assert "VIOLATED  spec: AG (leaf -> |0>)" in shown
    assert "raise_if_violated" not in shown, "no frames of the library"
    assert re.search(r"\b9\s+measure q", shown), "functions are traced: plain circuits have lines"
    assert "differs from" in shown and "test_it.py:22: qismc.assert_equivalent" in shown
    assert not re.search(r"\b27\s+x q", shown), "nobody asked for that"
    assert not SUMMARY_TELLS or "test_violated - VIOLATED spec: AG" in shown, "the summary tells"


def test_what_says_nothing_is_in_the_summary(tmp_path: Path) -> None:
    shown = session(tmp_path, "", "vacuous", "truth", "fine")
    assert re.search(r"3 passed, [45] warnings", shown)  # an editable installation adds one of pytest's own
    assert "test_it.py:18: SaysLittle: spec: 'leaf & c == 2' is never true" in shown
    assert "SaysLittle: spec: 'leaf & c == 3' is never true" in shown


def test_errors_are_messages(tmp_path: Path) -> None:
    shown = session(tmp_path, "", "mistyped")
    lines = [
        'test_it.py:36: ask(plain, "AG (lef -> |0>)")',
        "test_it.py:32: qismc.assert_holds(circuit, formula)",
    ]
    assert "\n".join(lines) in shown
    assert "unknown atom 'lef'" in shown and "names.py" not in shown
    assert not SUMMARY_TELLS or "test_mistyped - SpecError" in shown


def test_options_come_from_the_configuration(tmp_path: Path) -> None:
    flags = "qismc_strict = true\nqismc_trace = true\n"
    shown = session(
        tmp_path, f'{flags}qismc_numbers = "float"\nqismc_memory = "4000"', "vacuous", "built_here"
    )
    assert "strict: 'c == 2' is never true" in shown and "2 failed" in shown
    assert "float engine" in shown and re.search(r"\b27\s+x q", shown)


def test_old_settings_work_and_say_what_they_are_called_now(tmp_path: Path) -> None:
    shown = session(tmp_path, 'qismc_engine = "float"\nqismc_store = "explicit"', "violated")
    assert "float engine" in shown and "1 failed" in shown
    assert "qismc_engine is now qismc_numbers" in shown and "qismc_store is now qismc_method" in shown


def test_the_command_line_comes_before_the_configuration(tmp_path: Path) -> None:
    shown = session(tmp_path, 'qismc_numbers = "exact"\naddopts = "--qismc-numbers=float"', "violated")
    assert "float engine" in shown


def test_limits_and_wrong_settings(tmp_path: Path) -> None:
    assert "limit" in session(tmp_path, 'qismc_timeout = "0"', "fine")
    assert "is no number" in session(tmp_path, 'qismc_timeout = "soon"', "fine")
