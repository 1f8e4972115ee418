"""Every certificate that is written is accepted; what the checker does not look at is refused before."""

from __future__ import annotations

from pathlib import Path

import pytest

import qismc
from qismc.errors import UsageError
from qismc.program import read_program
from qismc.verifier.certificate import read_certificate
from qismc.verifier.verifying import verify

HEAD = 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[3] q; bit[3] c;\n'
ACCEPTED = (
    "h q[0]; cx q[0], q[1];\n//@ mark m\nc[0] = measure q[0];",
    "rz(1.5707963268) q[0]; h q[0];\n//@ mark m\n",
    "ry(3.1415926536) q[0]; ry(-3.14159265358) q[0];\n//@ mark m\n",
    "rz(3143.163449916588) q[0];\n//@ mark m\n",
    "u(pi/2, 4.4e-16, pi) q[0];\n//@ mark m\n",
)
REFUSED = (
    "rz(0.7) q[0];\n//@ mark m\n",
    "ry(1.9106332362490186) q[0];\n//@ mark m\n",  # 2 acos(sqrt(1/3))
    "rz(pi/2**70) q[0];\n//@ mark m\n",
)
CHECKED = ("AG (leaf -> |0> on q[2])", "AF leaf", "P=1 [F m]", "AG (m -> (|0> \\/ |+>) on q[2])")
BEYOND = (
    "AG (m -> ~stab(ZII))",
    "AG (m -> ~(|0> on q[0] /\\ |0> on q[1]))",
    "AG (leaf -> (|0> \\/ stab(+X)) on q[0])",
    "AG (l1 -> |0> on q[2])",
    "AG (leaf -> sp(m) on q[2])",
)


@pytest.mark.parametrize("body", ACCEPTED)
@pytest.mark.parametrize("formula", CHECKED)
def test_what_is_written_is_accepted(tmp_path: Path, body: str, formula: str) -> None:
    file, text = tmp_path / "c.json", f"{HEAD}{body}\n"
    result = qismc.check(text, formula, certificate=file)
    accepted = verify(read_certificate(str(file)), read_program(text))
    assert [claim.verdict for claim in accepted.claims] == [result.verdict.value]


@pytest.mark.parametrize(
    ("body", "formula"),
    [*((body, CHECKED[0]) for body in REFUSED), *((ACCEPTED[0], formula) for formula in BEYOND)],
)
def test_what_cannot_be_checked_is_not_written(tmp_path: Path, body: str, formula: str) -> None:
    file = tmp_path / "c.json"
    with pytest.raises(UsageError, match="no certificate: "):
        qismc.check(f"{HEAD}{body}\n", formula, certificate=file)
    assert not file.exists()


def test_numbers_that_the_checker_reads_otherwise_are_refused(tmp_path: Path) -> None:
    """The check reads 1.57079632671 as pi/2, 9e-11 away; the checker may be narrower, and then says so."""
    file, text = tmp_path / "c.json", f"{HEAD}rz(1.57079632671) q[0];\n"
    try:
        qismc.check(text, CHECKED[0], certificate=file)
    except UsageError as refused:
        assert "1.57079632671" in str(refused) and not file.exists()
    else:
        verify(read_certificate(str(file)), read_program(text))
