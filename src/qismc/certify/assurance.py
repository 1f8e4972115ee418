"""How sure a verdict of the exact engine is, and how to be surer.

An exact decision errs only if a number that is not zero falls into the randomly drawn prime ideal, if an
unknown happens to be a root of a polynomial, or if a random evaluation misses. Let a number have b bits
(denominator and absolute value, see `sizes`) over a field of degree d. At most b d / 61 homomorphisms to
fields of p > 2^61 elements (or p^2) send it to 0, since the norms of their kernels divide that of the number.
Drawn are one of N primes and one of phi(M) roots of unity, all else being determined by them. So the chance
is at most  b d / (61 N phi(M)).
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from qismc.common.wording import counted
from qismc.engines import Engine, Exact
from qismc.errors import Undecided, UnluckyDraw
from qismc.numbers import PRIME_BITS, Ledger, Needs, totient

MOST_PRIMES = 5000
"""A proof that needs more primes is not attempted."""

WEAK_BOUND = 1e-6
"""Above this an error bound says little, and further primes are drawn without being asked for."""

MOST_UNASKED = 4
"""So many of them at most: each takes as long as the check did."""


@dataclass(frozen=True)
class Soundness:
    """The primes that were used, a bound on the probability of a wrong decision, and what was proved."""

    primes: tuple[int, ...]
    error_bound: float | None
    certified: bool = False
    note: str | None = None


Again = Callable[[int], Exact]
"""Decide everything once more with numbers drawn from a seed: the engine that did it.

Raises UnluckyDraw where a verdict differs.
"""


def error_bound(needs: Needs, ledger: Ledger, primes: int = 1) -> float | None:
    """An upper bound on the probability that some decision of a run errs; None if numbers are unbounded.

    With two primes at once a decision errs if it does so for both: a sum of squares of chances is at most the
    square of their sum. The second one is drawn from all but the first.
    """
    if math.isinf(ledger.bits):
        return None
    count = needs.number_of_primes()
    homomorphisms = count * totient(needs.order)
    unlucky_prime = ledger.bits * needs.field_degree() / (PRIME_BITS * homomorphisms)
    unlucky_angle = 2 * ledger.degree * needs.num_unknowns / 2.0**PRIME_BITS
    alone = min(1.0, unlucky_prime + unlucky_angle + ledger.chance)
    return alone if primes == 1 else min(1.0, alone * alone * count / (count - 1))


def soundness(engine: Engine) -> Soundness | None:
    """The bound for what an engine decided so far; None for floating point."""
    exact = engine.exact
    if exact is None:
        return None
    bound = error_bound(exact.field.needs, exact.ledger, len(exact.primes))
    note = None if bound is not None else "no error bound: a number is divided by a sum with unknowns"
    return Soundness(exact.primes, bound, note=note)


def primes_for_proof(needs: Needs, bits: float, *, conjugating: bool) -> int:
    """So many distinct primes that all say "zero" prove that a number of so many bits is zero."""
    residue_degree = 2 if conjugating else 1
    return int(bits * needs.field_degree() / (PRIME_BITS * residue_degree)) + 1


def assured(
    first: Soundness,
    engine: Exact,
    again: Again,
    seeds: Iterable[int],
    further: int,
    *,
    proof: bool,
    replayed: bool = False,
) -> Soundness:
    """The bound made better: by a proof, by further primes, by as many as a weak bound needs.

    It needs none where all that was decided is `replayed`, shown by the numbers of executions.
    """
    if not replayed:
        further = max(further, primes_for_strength(first.error_bound, len(first.primes)))
    try:
        if proof:
            return certify(first, engine, again, seeds)
        return _with_doubt(recheck(first, again, seeds, further), replayed)
    except UnluckyDraw:
        raise
    except Undecided as doubt:
        return given_up(first, doubt)


def _with_doubt(found: Soundness, replayed: bool) -> Soundness:
    """A bound that says little says so, unless there is more to be said."""
    if found.error_bound is None or found.error_bound <= WEAK_BOUND or found.note is not None:
        return found
    if replayed:
        return replace(found, note="violations were replayed in floating point and do not rest on this bound")
    note = "the error bound says little: angles of very different sizes make large numbers; round them"
    return replace(found, note=note)


def primes_for_strength(bound: float | None, primes: int = 1) -> int:
    """So many further primes make a weak bound strong; 0 where too many would.

    The bound b of n primes becomes b^(1 + k/n) with k further ones.
    """
    if bound is None or not WEAK_BOUND < bound < 1:
        return 0
    wanted = math.ceil(primes * math.log(WEAK_BOUND) / math.log(bound))
    return wanted - primes if wanted - 1 <= MOST_UNASKED else 0


def recheck(first: Soundness, again: Again, seeds: Iterable[int], further: int) -> Soundness:
    """Everything decided again with further primes: a wrong verdict is wrong with every one of them."""
    found = first
    for engine in _runs(again, seeds, further, first.primes):
        more = soundness(engine)
        assert more is not None
        bound = _product(found.error_bound, more.error_bound)
        found = replace(found, primes=(*found.primes, *more.primes), error_bound=bound)
    return found


def _product(one: float | None, two: float | None) -> float | None:
    """Of two bounds; 0 is left to proofs."""
    return None if one is None or two is None else max(one * two, sys.float_info.min)


def certify(first: Soundness, engine: Exact, again: Again, seeds: Iterable[int]) -> Soundness:
    """Everything decided again with so many primes that the verdict is proved; raises UnluckyDraw.

    If all runs take the same way, decision by decision, then so does the run with the true numbers: what is
    zero for all primes is zero, and what is not zero for one of them is not.
    """
    needs = engine.field.needs
    if engine.formal or engine.assumed.tentative:
        return replace(first, note=f"not certified: {_assumed(engine)}")
    runs = _runs(again, seeds, MOST_PRIMES, ())
    sample = next(runs)
    bits, chance, way = sample.ledger.largest, sample.ledger.chance, sample.ledger.transcript()
    if math.isinf(bits):
        return replace(first, note="not certified: a number is divided by a sum with unknowns")
    wanted = primes_for_proof(needs, bits, conjugating=engine.field.conjugating)
    if wanted > MOST_PRIMES:
        return replace(first, note=f"not certified: a proof would take {wanted} primes")
    used = [*sample.primes]
    while len(used) < wanted:
        other = next(runs)
        if other.ledger.transcript() != way:
            raise UnluckyDraw("two primes disagree on a decision", hint="run again with another --seed")
        used += other.primes
    note = f"proved with {counted(wanted, 'prime')}"
    if chance:
        note += "; propositions on some of many qubits were evaluated at random points"
    return Soundness(tuple(used), chance, certified=not chance, note=note)


def _assumed(engine: Exact) -> str:
    if engine.formal:
        return "unknowns stand for some angles"
    if engine.assumed.rooted:
        return "square roots of roots were taken with either sign"
    return "literal numbers were recognised"


def _runs(again: Again, seeds: Iterable[int], count: int, known: Iterable[int]) -> Iterator[Exact]:
    """Runs with so many distinct primes, none of them known."""
    used, fresh = set(known), iter(seeds)
    while count > 0:
        engine = again(next(fresh))
        if used.isdisjoint(engine.primes):
            used.update(engine.primes)
            count -= 1
            yield engine


def given_up(first: Soundness, doubt: Undecided) -> Soundness:
    """What is left where a second look came to no end."""
    return replace(first, note=f"a second look was given up ({doubt})")
