"""Labels that are right, so that forged claims fail for no smaller reason."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from qismc.errors import QismcError
from qismc.language import syntax
from qismc.language.parser import parse_formula
from qismc.language.printer import to_text
from qismc.program.program import Program
from qismc.verifier import NotChecked, Refused
from qismc.verifier.certificate import Certificate, read_certificate
from qismc.verifier.numbers import Residues
from qismc.verifier.texts import atoms, read_texts
from qismc.verifier.verifying import _Checker, count_roots

from .cases import Data


def labelled(data: Data, program: Program) -> None:
    """Add the label of every subspace of the claims at every location, as the verifier itself computes it."""
    try:
        certificate = read(json.dumps({**data, "labels": []}))
        data["labels"] = _labels(certificate, program)
    except (QismcError, Refused, NotChecked, OverflowError, RecursionError, TypeError, ValueError):
        return  # it will be refused


def read(text: str) -> Certificate:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "forged.json"
        path.write_text(text, encoding="utf-8", errors="surrogatepass")
        return read_certificate(str(path))


def _labels(certificate: Certificate, program: Program) -> list[Data]:
    texts = read_texts(certificate, program)
    checker = _Checker(certificate, texts, program, Residues.draw(count_roots(texts, program).order))
    checker.check_system()
    found = []
    for tree in {tree for claim in certificate.claims for tree in _subspaces(claim.spec, set(texts.props))}:
        for place, point in checker._system.locations:
            states = checker._system.states(place, point)
            holds = all(checker._subspaces.contains(tree, state) for state in states)
            found.append({"subspace": to_text(tree), "at": [place, point], "holds": holds})
    return found


def _subspaces(spec: str, props: set[str]) -> list[syntax.Subspace]:
    found: list[syntax.Subspace] = []
    for atom in atoms(parse_formula(spec)):
        if isinstance(atom, syntax.Quantum):
            found.append(atom.subspace)
        elif isinstance(atom, syntax.Atom) and atom.name in props:
            found.append(syntax.PropName(atom.name))
    return found
