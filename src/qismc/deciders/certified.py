"""Certificates are checked before they are written: what the checker does not accept is refused."""

from __future__ import annotations

from os import PathLike
from typing import Any

from qismc.certify import text_of
from qismc.common.files import write_text
from qismc.errors import UsageError
from qismc.program import Program
from qismc.verifier import NotChecked, Refused, certificate_of, verify


def write_checked(path: str | PathLike[str], data: dict[str, Any], program: Program) -> None:
    """Write a certificate that `qismc verify-certificate` accepts for a program; raises UsageError."""
    text = text_of(data)
    try:
        verify(certificate_of(text.encode(), "it"), program)
    except NotChecked as reason:
        raise UsageError(f"no certificate: the checker does not look at {reason}") from None
    except (Refused, UsageError) as reason:
        raise UsageError(f"no certificate: the checker would refuse it: {reason}") from None
    write_text(path, text)
