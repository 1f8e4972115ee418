"""One forged certificate: what the verifier says of it, and whether that is right."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from random import Random

from qismc.errors import QismcError
from qismc.language.parser import parse_formula
from qismc.verifier import Accepted, NotChecked, Refused, verify
from qismc.verifier.certificate import Certificate

from .cases import Case
from .labels import read
from .mutants import damaged, flip, forged
from .oracle import truth

DAMAGED = 0.03


@dataclass
class Ledger:
    """What was tried so far."""

    answers: Counter[str] = field(default_factory=Counter)
    judged: int = 0
    """Accepted claims whose truth was known."""

    def __str__(self) -> str:
        answers = ", ".join(f"{count} {answer}" for answer, count in sorted(self.answers.items()))
        return f"{sum(self.answers.values())} certificates: {answers}; {self.judged} accepted claims judged"


def attempt(case: Case, others: list[Case], random: Random, ledger: Ledger) -> None:
    """Raises AssertionError if a false claim is accepted, anything else if the verifier crashes."""
    data = forged(case, others, random)
    text = json.dumps(data)
    if random.random() < DAMAGED:
        tried(case, damaged(text, random), ledger)
    elif tried(case, text, ledger) == "Refused" and len(data["claims"]) == 1:
        flip(data, random, others)  # one of the two verdicts is true: it is looked at which one is accepted
        tried(case, json.dumps(data), ledger)


def tried(case: Case, text: str, ledger: Ledger) -> str:
    """What the verifier says of a certificate."""
    try:
        certificate = read(text)
        accepted = verify(certificate, case.program)
    except (QismcError, Refused, NotChecked) as answer:
        ledger.answers[type(answer).__name__] += 1
        return type(answer).__name__
    ledger.answers["Accepted"] += 1
    judge(case, certificate, accepted, text, ledger)
    return "Accepted"


def judge(case: Case, certificate: Certificate, accepted: Accepted, text: str, ledger: Ledger) -> None:
    """Compare what was accepted with the truth."""
    question = (certificate.init, certificate.props, certificate.paths)
    assert certificate.claims, f"nothing is claimed: {text}"
    for claim in certificate.claims:
        if claim.name in accepted.of_the_graph:
            continue
        found = truth(case, claim.spec, *question)
        ledger.judged += found is not None
        assert found in (None, claim.verdict), f"{claim} is accepted, but it is {found}: {text}"
    _judge_own(case, certificate, accepted, text)


def _judge_own(case: Case, certificate: Certificate, accepted: Accepted, text: str) -> None:
    """What covers the program's own formulas says the truth about them, in their own meaning."""
    lines = case.program.annotations
    init = next((line.text for line in lines if line.kind == "init"), None)
    props = {line.name: line.text for line in lines if line.kind == "prop" and line.name is not None}
    specs = [line for line in lines if line.kind == "spec"]
    names = {own.name for own in accepted.own.covered}
    assert not accepted.complete or len(names) == len(specs), f"own formulas are missing: {text}"
    wanted = {line.name: parse_formula(line.text) for line in specs}
    for claim in certificate.claims if accepted.complete else ():
        own = wanted.get(claim.name)
        assert own in (None, parse_formula(claim.spec)), f"{claim} has the name of another formula: {text}"
    said = {claim.spec: claim.verdict for claim in certificate.claims}
    for line in specs:
        if line.name in names and line.text in said:
            found = truth(case, line.text, init, props, "feasible")
            assert found in (None, said[line.text]), f"own {line.name} is {found}: {text}"
