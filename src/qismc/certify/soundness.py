"""How sure a verdict of the exact engine is, and how to be surer.

An exact decision errs only if a fixed non-zero algebraic integer falls into the randomly drawn prime ideal,
or if a random evaluation point hits a zero. The first has probability at most  bits / (61 N)  per decision,
where N is the number of primes to draw from: an integer of norm 2^(bits d) has at most bits d / (61 f) prime
ideals of residue degree f above 61 bits, among N d / f. So many distinct primes that all agree are a proof.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from qismc.certify.bits import NoBound, proposition_bits, spread_bits
from qismc.certify.edges import EdgeChecker, Labelled
from qismc.solve import Solved
from qismc.subspace.field import FieldScalars
from qismc.subspace.forms import FieldForm
from qismc.subspace.needs import PRIME_BITS, Needs
from qismc.subspace.trains import TrainEngine
from qismc.wording import counted

MOST_PRIMES = 5000
"""A proof that needs more primes is not attempted."""


@dataclass(frozen=True)
class Soundness:
    """The primes that were used, a bound on the probability of a wrong decision, and what was proved."""

    primes: tuple[int, ...]
    error_bound: float | None
    certified: bool = False
    note: str | None = None


@dataclass(frozen=True)
class Sizes:
    """What the bound depends on."""

    bits: float
    minor: int
    """Rows of the largest determinant that a decision looks at."""
    decisions: int
    levels: int


def error_bound(needs: Needs, sizes: Sizes) -> float:
    """An upper bound on the probability that some decision of a run errs."""
    unlucky_prime = sizes.minor * sizes.bits / (PRIME_BITS * needs.number_of_primes())
    unlucky_point = sizes.minor * sizes.levels / 2.0 ** (2 * PRIME_BITS)
    degree = max((32 / float(unit) for _, unit in needs.unknowns()), default=0) * sizes.bits * sizes.minor
    unlucky_angle = degree / 2.0**PRIME_BITS
    return min(1.0, sizes.decisions * (unlucky_prime + unlucky_point + unlucky_angle))


def measure(solved: Solved, labelled: Labelled) -> Sizes:
    """The sizes of a run; raises NoBound."""
    if solved.pres is not None:
        raise NoBound("annotations bound wp, which is not looked at")
    bits = spread_bits(solved.explorer, solved.posts.spread)
    given = {seed.proposition for seed in solved.seeds} | {proposition for proposition, _ in labelled}
    bits += max((proposition_bits(p) for p in given), default=0.0)
    minor = solved.posts.spread.max_dimension + 1
    decisions = len(labelled) + sum(len(p.arrivals) for p in solved.posts.spread.places.values()) * 2
    return Sizes(max(bits, 1.0), minor, decisions, solved.engine.num_qubits)


def soundness(solved: Solved, labelled: Labelled) -> Soundness | None:
    """The bound for one prime; None for floating point."""
    engine = solved.engine
    if not isinstance(engine, TrainEngine) or not isinstance(engine.form, FieldForm):
        return None
    primes = (engine.form.prime,)
    try:
        return Soundness(primes, error_bound(engine.form.ring.needs, measure(solved, labelled)))
    except NoBound as reason:
        return Soundness(primes, None, note=f"no error bound: {reason}")


def primes_for_proof(needs: Needs, sizes: Sizes, *, conjugating: bool) -> int:
    """So many distinct primes that all say "zero" prove that a number is zero."""
    residue_degree = 2 if conjugating else 1
    norm_bits = sizes.minor * sizes.bits * needs.field_degree()
    return int(norm_bits / (PRIME_BITS * residue_degree)) + 1


def certify(solved: Solved, labelled: Labelled, seeds: Iterable[int]) -> Soundness:
    """Check every edge and label with so many primes that the verdict is proved; raises Refuted."""
    engine = solved.engine
    if not isinstance(engine, TrainEngine) or not isinstance(engine.form, FieldForm):
        return Soundness((), None, note="floating point cannot be certified")
    ring = engine.form.ring
    if ring.formal:
        return Soundness((ring.p,), None, note="not certified: some angles are formal")
    try:
        sizes = measure(solved, labelled)
    except NoBound as reason:
        return Soundness((ring.p,), None, note=f"not certified: {reason}")
    wanted = primes_for_proof(ring.needs, sizes, conjugating=ring.conjugating)
    if wanted > MOST_PRIMES:
        return Soundness(
            (ring.p,), error_bound(ring.needs, sizes), note=f"a proof would take {wanted} primes"
        )
    used: dict[int, None] = {}
    evaluated = False
    for seed in seeds:
        other = engine.with_ring(FieldScalars(ring.needs, seed, conjugating=ring.conjugating))
        if other.form.prime not in used:
            checker = EdgeChecker(solved, other)
            checker.check(labelled)
            evaluated |= checker.evaluated
            used[other.form.prime] = None
        if len(used) >= wanted:
            break
    note = f"proved with {counted(wanted, 'prime')}, edge by edge"
    if evaluated:
        note += "; propositions on some qubits were evaluated at random points"
        chance = len(labelled) * sizes.levels / math.ldexp(1.0, 2 * PRIME_BITS)
        return Soundness(tuple(used), chance, note=note)
    return Soundness(tuple(used), 0.0, certified=True, note=note)


def recheck(solved: Solved, labelled: Labelled, seeds: Iterable[int]) -> tuple[int, ...]:
    """Check every edge and label with one more prime per seed; raises Refuted."""
    engine = solved.engine
    if not isinstance(engine, TrainEngine) or not isinstance(engine.form, FieldForm):
        return ()
    ring = engine.form.ring
    primes = []
    for seed in seeds:
        other = engine.with_ring(FieldScalars(ring.needs, seed, conjugating=ring.conjugating))
        EdgeChecker(solved, other).check(labelled)
        primes.append(other.form.prime)
    return tuple(primes)
