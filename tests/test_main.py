"""`python -m qismc` says what the command says, and quickly."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from qismc.cli import main

HEAD = 'OPENQASM 2.0;\ninclude "qelib1.inc";\nqreg q[1];\n'


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["check", "right.qasm"], 0),
        (["check", "right.qasm", "--spec", "AG |0>"], 1),
        (["check", "missing.qasm"], 2),
        (["check"], 2),
    ],
)
def test_it_is_the_command(
    arguments: list[str], status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "right.qasm").write_text(HEAD + "x q[0];\n//@ spec AG (leaf -> |1>)\n")
    monkeypatch.chdir(tmp_path)
    module = subprocess.run(
        [sys.executable, "-W", "error", "-m", "qismc", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    command = CliRunner().invoke(main, arguments, prog_name="qismc")
    assert module.returncode == command.exit_code == status
    assert module.stderr == command.stderr
    assert bool(module.stdout) == bool(command.stdout)


def test_help_and_version_load_neither_qiskit_nor_numpy() -> None:
    code = (
        "import sys; from qismc.cli import main\n"
        "for words in (['--help'], ['check', '--help'], ['version'], ['--version']):\n"
        "    main(words, prog_name='qismc', standalone_mode=False)\n"
        "heavy = {'qiskit', 'numpy', 'scipy', 'lark', 'rustworkx'} & set(sys.modules)\n"
        "sys.exit(f'loaded: {heavy}' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_ctrl_c_before_there_is_a_command() -> None:
    code = (
        "import builtins\n"
        "load = builtins.__import__\n"
        "def stopped(name, *rest):\n"
        "    if name == 'click':\n"
        "        raise KeyboardInterrupt\n"
        "    return load(name, *rest)\n"
        "builtins.__import__ = stopped\n"
        "from qismc.cli import main\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")
