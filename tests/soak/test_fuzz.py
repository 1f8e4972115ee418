"""Readers fed with damaged texts: an error of ours with a place, or something that means something."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from random import Random

from click.testing import CliRunner
from hypothesis import event, given, settings
from hypothesis import strategies as st
from qiskit import qasm3

import qismc
from qismc.cli import main
from qismc.errors import QismcError, SpecError
from qismc.language.parser import parse_formula
from qismc.language.printer import to_text
from qismc.program import read_program
from qismc.program.load import read_text
from qismc.verifier.certificate import read_certificate
from qismc.verifier.outcome import NotChecked, Refused
from qismc.verifier.verifying import verify

from ..program.programs import Generator
from ..program.test_malformed import TEXTS2, TEXTS3, damage
from ..strategies import formulas, propositions
from .depth import DEPTH
from .programs import Everything

RANDOM = st.integers(0, 10**9).map(Random)
NAMES = ["p", "leaf", "loop", "init", "reached", "m1"]
STATUSES = {0, 1, 2, 3}
SYMBOLS = "()[]{}|<>&!~/\\+-=*^., 01rliXYZPAEGFUWR?:'\"@$€ψ\x00"
ROUND = 20
"""Texts for one example of a program."""


def scrambled(text: str, random: Random) -> str:
    """Symbols changed, doubled or dropped."""
    letters = list(text)
    for _ in range(random.randrange(1, 4)):
        place = random.randrange(len(letters) + 1)
        letters[place : place + random.randrange(3)] = random.choices(SYMBOLS, k=random.randrange(3))
    return "".join(letters)


def survives(text: str) -> None:
    try:
        program = read_text(text, "p.qasm")
    except QismcError as error:
        assert error.source is not None, text
        assert 1 <= error.source.line <= text.count("\n") + 1, text
        event("refused")
    else:
        assert len(program.sources) == len(program.code)
        event("read")


@settings(max_examples=20 * DEPTH)
@given(random=RANDOM)
def test_openqasm(random: Random) -> None:
    for _ in range(ROUND):
        survives(damage(random.choice(TEXTS2 if random.random() < 0.7 else TEXTS3), random))


@settings(max_examples=10 * DEPTH)
@given(random=RANDOM)
def test_exported_programs(random: Random) -> None:
    """Qiskit's own export of random programs, first as it is, then damaged."""
    text = qasm3.dumps(Generator(random.randrange(10**6), exportable=True).build())
    assert read_text(text, "p.qasm").num_qubits == 3
    for _ in range(ROUND // 4):
        survives(damage(text, random))


@settings(max_examples=60 * DEPTH)
@given(random=RANDOM, formula=formulas(NAMES, 2), space=propositions(2))
def test_formulas(random: Random, formula: object, space: object) -> None:
    text = f"AG ({to_text(formula)} -> {space})"  # type: ignore[arg-type]
    for _ in range(ROUND):
        try:
            tree = parse_formula(scrambled(text, random))
        except SpecError:
            event("refused")
        else:
            assert parse_formula(to_text(tree)) == tree
            event("read")


@settings(max_examples=15 * DEPTH)
@given(random=RANDOM, space=propositions(3))
def test_the_command_line(random: Random, space: object) -> None:
    """Whatever stands in files and options: a verdict or a message, and one of four statuses."""
    text = random.choice(TEXTS2)
    text = damage(text, random) if random.random() < 0.5 else text
    spec = random.choice(["AG (leaf -> {})", "EF {}", "P>=1/2 [F {}]", "P=? [F leaf]", "AF leaf"]).format(
        space
    )
    spec = scrambled(spec, random) if random.random() < 0.5 else spec
    options = random.sample(["--json", "--verbose", "--quiet", "--certify", "--keep-dead", "--recheck=1"], 2)
    arguments = ["check", "-", "--spec", spec, "--timeout", "5", *options]
    result = CliRunner().invoke(main, arguments, input=text.encode())
    assert result.exit_code in STATUSES, (arguments, text, result.output)
    event(f"status {result.exit_code}")


@settings(max_examples=8 * DEPTH)
@given(random=RANDOM)
def test_certificates(random: Random) -> None:
    """A damaged certificate is refused, or claims what is true."""
    circuit = Everything(random.randrange(10**6), 3).build()
    claims = {"safe": "AG (leaf -> c == 0 | b)", "possible": "EF (leaf & c == 1)"}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "certificate.json"
        try:
            result = qismc.check(circuit, claims, certificate=path, limits=qismc.Limits(seconds=20))
        except QismcError:
            event("no certificate")
            return
        text = path.read_text() if path.exists() else ""
        true = {(claims[name], result[name].verdict.value) for name in claims}
        for _ in range(ROUND if text else 0):
            path.write_text(hurt(text, random))
            try:
                accepted = verify(read_certificate(str(path)), read_program(circuit))
            except (QismcError, Refused, NotChecked):
                event("refused")
            else:
                for spec, verdict in {(c.spec, c.verdict) for c in accepted.claims} - true:
                    assert qismc.check(circuit, spec).verdict.value == verdict, spec  # other words, and true
                event("accepted")


def hurt(text: str, random: Random) -> str:
    """A number, a word or a bracket changed, or a value of the JSON replaced."""
    if random.random() < 0.3:
        return damage(text, random)
    data = json.loads(text)
    place: object = data
    while isinstance(place, dict | list) and place:
        keys = list(place) if isinstance(place, dict) else range(len(place))
        key = random.choice(keys)
        inner = place[key]  # type: ignore[index]
        if not isinstance(inner, dict | list) or not inner or random.random() < 0.1:
            place[key] = random.choice([0, 1, -1, 7, "", "x", None, [], {}, True, 2**70, 0.5, "AG full"])  # type: ignore[index]
            break
        place = inner
    return json.dumps(data)
