"""Sums over decisions, and transcripts that tell ways apart."""

from __future__ import annotations

from qismc.numbers.ledger import Ledger
from qismc.numbers.sizes import Size


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


def test_what_was_taken_over_before_is_not_counted_again() -> None:
    other = Ledger()
    other.decided_on(True, 3.0, 1.0, chance=0.5)
    own = Ledger()
    for _ in range(3):
        own.take_over(other)
    assert (own.decisions, own.bits, own.degree, own.chance, own.largest) == (1, 3.0, 1.0, 0.5, 3.0)
    other.decided_on(False, 4.0, 0.0)
    own.take_over(other)
    assert (own.decisions, own.bits, own.largest) == (2, 7.0, 4.0)
