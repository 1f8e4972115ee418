"""Sums over decisions, and transcripts that tell ways apart."""

from __future__ import annotations

from qismc.subspace.ledger import Ledger
from qismc.subspace.sizes import Size


def test_sums_and_the_largest() -> None:
    ledger = Ledger()
    assert ledger.decided(True, [Size({2: 3.0}, 1.0, 2), Size({}, -5.0, 1)])
    assert not ledger.decided(False, [Size({3: 1.5}, 0.0)], chance=0.25)
    assert (ledger.decisions, ledger.bits, ledger.degree) == (2, 5.5, 3)
    assert (ledger.largest, ledger.chance) == (4.0, 0.25)


def test_transcripts_depend_on_answers_and_their_order() -> None:
    def transcript(*answers: bool | bytes) -> bytes:
        ledger = Ledger()
        for answer in answers:
            if isinstance(answer, bytes):
                ledger.noted(answer)
            else:
                ledger.decided(answer, [])
        return ledger.transcript()

    ways = [(True,), (False,), (True, False), (False, True), (True, b"x"), (True, b"y")]
    assert len({transcript(*way) for way in ways}) == len(ways)
    assert transcript(True, False) == transcript(True, False)
