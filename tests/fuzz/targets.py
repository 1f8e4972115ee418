"""What reads input that others wrote, each as a function of bytes that raises nothing but errors of ours."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import qismc
from qismc.campaigns.mutant import read_row
from qismc.errors import QismcError, Undecided
from qismc.language.parser import parse_formula, parse_subspace
from qismc.language.printer import to_text
from qismc.program import read_program
from qismc.program.program import Program
from qismc.verifier.certificate import read_certificate
from qismc.verifier.outcome import NotChecked, Refused
from qismc.verifier.verifying import verify

CORPUS = Path(__file__).parent / "corpus"
EXPECTED = (QismcError, Undecided, Refused, NotChecked)
LIMITS = qismc.Limits(seconds=10)


def of_file(data: bytes, ending: str, read: Callable[[Path], object]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"input.{ending}"
        path.write_bytes(data)
        read(path)


def openqasm(data: bytes) -> None:
    """OpenQASM 2 and 3 with `//@` lines; errors of texts have a place."""
    try:
        of_file(data, "qasm", read_program)
    except QismcError as error:
        if error.source is None and "nested too deeply" not in error.message:
            raise AssertionError(f"no place: {error}") from error
        raise


def qpy(data: bytes) -> None:
    of_file(data, "qpy", read_program)


def formula(data: bytes) -> None:
    """What is read can be written and read again, and asked about a program."""
    text = data.decode(errors="replace")
    tree = parse_formula(text)
    assert parse_formula(to_text(tree)) == tree
    qismc.check(_coin(), text, limits=LIMITS).to_json()


def subspace(data: bytes) -> None:
    text = data.decode(errors="replace")
    parse_subspace(text)
    qismc.check(_coin(), "AG (leaf -> p)", props={"p": text}, limits=LIMITS).to_json()
    qismc.check(_coin(), "AF leaf", init=text, limits=LIMITS).to_json()


def rows(data: bytes) -> None:
    for line in data.decode(errors="replace").splitlines():
        read_row(line)


def certificate(data: bytes) -> None:
    of_file(data, "json", lambda path: verify(read_certificate(str(path)), _coin()))


TARGETS: dict[str, Callable[[bytes], None]] = {
    function.__name__: function for function in (openqasm, qpy, formula, subspace, rows, certificate)
}


@cache
def _coin() -> Program:
    return read_program((CORPUS / "openqasm" / "coin.qasm").read_text())


def accepts(target: str, data: bytes) -> bool:
    """Was it read? Anything but a result or an error of ours comes through."""
    try:
        TARGETS[target](data)
    except EXPECTED as error:
        assert str(error) or isinstance(error, Refused | NotChecked)
        return False
    return True
