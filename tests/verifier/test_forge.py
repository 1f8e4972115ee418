"""Forged certificates, a few of the many that `python -m tests.verifier.forge` tries."""

from __future__ import annotations

import json
from random import Random

import pytest

from qismc.verifier import system
from qismc.verifier.steps import WayOut
from qismc.verifier.vectors import Echelon

from .forge.__main__ import round_of
from .forge.cases import case
from .forge.judge import Ledger, tried


@pytest.mark.parametrize("seed", range(4))
def test_no_false_claim_is_accepted(seed: int) -> None:
    ledger = Ledger()
    round_of(seed, ledger, attempts=20)
    assert sum(ledger.answers.values()) >= 20


def test_certificates_as_they_were_written_are_accepted() -> None:
    random, ledger = Random(7), Ledger()
    made = [found for found in (case(random) for _ in range(8)) if found is not None]
    answers = [tried(one, json.dumps(one.data), ledger) for one in made]
    assert answers.count("Accepted") >= 4 and "UsageError" not in answers and ledger.judged


def test_the_forger_finds_a_checker_that_looks_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """Outcomes that are said to be impossible are believed: then false claims are accepted."""
    look = system.System._check_images

    def look_away(self: system.System, number: int, way: WayOut, span: Echelon | None) -> None:
        if span is not None:
            look(self, number, way, span)

    monkeypatch.setattr(system.System, "_check_images", look_away)
    with pytest.raises(AssertionError, match="is accepted, but it is"):
        for seed in range(21, 27):
            round_of(seed, Ledger())
