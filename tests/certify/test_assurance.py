"""Error bounds and proofs: where they are given, where they are not, and that nobody can plant a prime."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

import qismc
from qismc import Model, QuantumCircuit, Verdict
from qismc.certify.assurance import (
    MOST_UNASKED,
    WEAK_BOUND,
    Soundness,
    error_bound,
    primes_for_proof,
    primes_for_strength,
)
from qismc.deciders.graph import Judge
from qismc.engines.exact import ExactEngine, ExactSpan, size_of
from qismc.errors import LimitReached
from qismc.numbers.ledger import Ledger
from qismc.numbers.needs import Needs
from qismc.numbers.sizes import Size
from qismc.probability.certainty import ExactUntil


def tossed() -> QuantumCircuit:
    circuit = QuantumCircuit(1, 1)
    circuit.h(0)
    circuit.mark("tossed")
    circuit.measure(0, 0)
    return circuit


def attempts() -> QuantumCircuit:
    """Toss until the coin shows 0."""
    circuit = tossed()
    with circuit.while_loop((circuit.clbits[0], 1)):
        circuit.h(0)
        circuit.measure(0, 0)
    return circuit


def sure(result: qismc.Result) -> Soundness:
    assert result.soundness is not None
    return result.soundness


# --- planted primes ----------------------------------------------------------------------------------------


def idle(qubits: int) -> QuantumCircuit:
    circuit = QuantumCircuit(qubits)
    circuit.id(0)
    return circuit


def test_the_prime_of_another_run_cannot_be_planted() -> None:
    """|0> + p |1> is |0> modulo p."""
    for seed in (None, 0):
        (prime,) = sure(qismc.check(idle(1), "AG |0>", seed=seed)).primes
        assert not qismc.check(idle(1), f"AG (|0> + {prime} |1>)")
        assert not qismc.check(idle(1), "AG near", props={"near": f"|0> + {prime} |1>"})
        assert qismc.check(idle(1), "AG |0>", init=f"|0> + {prime} |1>").verdict is Verdict.VIOLATED


def test_whatever_is_asked_about_moves_the_prime() -> None:
    """A proposition that is asked later, or one that is made of sp(..), is in the hash as well."""
    model = Model(idle(1))
    (first,) = sure(model.check("AG |0>")).primes
    assert not model.check(f"AG (|0> + {first} |1>)")
    (second,) = sure(model.check("AG (sp(leaf) /\\ |0>)")).primes
    assert not model.check(f"AG (sp(leaf) /\\ (|0> + {second} |1>))")
    seeds = {
        qismc.check(idle(1), "AG |0>", **options).seed
        for options in ({}, {"props": {"a": "|1>"}}, {"init": "|+>"}, {"annotations": {"leaf": "|0>"}})  # type: ignore[dict-item]
    }
    assert len(seeds) == 4


def test_seeds_are_reproducible_and_can_be_given() -> None:
    one, two = (qismc.check(idle(1), "AG |0>") for _ in range(2))
    assert one.seed == two.seed < 1 << 53 and sure(one).primes == sure(two).primes
    again = qismc.check(idle(1), "AG |0>", seed=one.seed)
    assert again.seed == one.seed and sure(again).primes == sure(one).primes


def test_a_denominator_that_is_a_multiple_of_the_prime_is_no_answer() -> None:
    (prime,) = sure(qismc.check(idle(1), "AG |0>", seed=0)).primes
    for number in (f"1/{prime}", f"1/(sqrt(2) - sqrt(2) + {prime})"):
        doubt = qismc.check(idle(1), f"AG (|0> + {number} |1>)", seed=0)
        assert doubt.verdict is Verdict.UNKNOWN and str(doubt.reason).startswith("prime")
        assert not qismc.check(idle(1), f"AG (|0> + {number} |1>)")


def test_many_small_bounds_do_not_make_a_proof() -> None:
    many = sure(qismc.check(idle(1), "AG |0>", recheck=25))
    assert not many.certified and many.error_bound is not None and many.error_bound > 0


def chain(primes: tuple[int, ...]) -> str:
    """span(|0> + p1 |1>, |1> + p2 |2>, ...): |0> lies in it modulo each of the primes, but not in truth."""
    digits = len(primes).bit_length()
    ket = [format(k, f"0{digits}b") for k in range(len(primes) + 1)]
    return "span(" + ", ".join(f"|{ket[k]}> + {p} |{ket[k + 1]}>" for k, p in enumerate(primes)) + ")"


def test_a_span_of_planted_primes_is_not_proved() -> None:
    """Fifteen kets whose coefficients are the primes of a known seed: more primes are needed than these."""
    known = sure(qismc.check(idle(4), "AG |0000>", seed=0, recheck=14)).primes
    assert len(set(known)) == 15
    spec = f"AG {chain(known)}"
    assert qismc.check(idle(4), spec).verdict is Verdict.VIOLATED
    fooled = qismc.check(idle(4), spec, seed=0)
    assert fooled.verdict is Verdict.HOLDS  # whoever gives the seed may fool himself, but not for long
    doubted = qismc.check(idle(4), spec, seed=0, certify=True)
    assert doubted.verdict is Verdict.UNKNOWN and str(doubted.reason).startswith("prime")


def test_the_size_of_the_proposition_counts() -> None:
    """A determinant of k + 1 rows over a span of k kets: the primes that a proof takes grow with k."""
    needed = []
    for count in (1, 3, 7):
        kets = ", ".join(f"|{k:03b}> + 1/10^30 |111>" for k in range(count))
        needed.append(len(sure(qismc.check(idle(3), f"AG !span({kets})", certify=True)).primes))
    assert needed[0] < needed[1] < needed[2]


# --- what bounds count -------------------------------------------------------------------------------------


def test_bounds_of_several_primes_multiply() -> None:
    one = sure(qismc.check(tossed(), "AG (tossed -> |+>)"))
    three = sure(qismc.check(tossed(), "AG (tossed -> |+>)", recheck=2))
    assert one.error_bound is not None and three.error_bound is not None
    assert 0 < three.error_bound <= one.error_bound**3
    assert len(set(three.primes)) == 3 and three.primes[0] == one.primes[0]


def tilted(*angles: float) -> QuantumCircuit:
    circuit = QuantumCircuit(1, 1)
    for angle in angles:
        circuit.ry(angle, 0)
    circuit.measure(0, 0)
    return circuit


def test_a_weak_bound_draws_further_primes_by_itself() -> None:
    weak = sure(qismc.check(tilted(12345678, 1e-8), "EF c == 0"))
    assert len(set(weak.primes)) > 1
    assert weak.error_bound is not None
    assert weak.error_bound <= WEAK_BOUND
    assert len(sure(qismc.check(tilted(1.25, 0.5), "EF c == 0")).primes) == 1


def test_replayed_violations_need_no_further_primes() -> None:
    """Their numbers show them; what holds beside them, or fails because states are inside, needs primes."""
    circuit, violated = tilted(12345678, 1e-8), "AG (leaf -> c == 1)"
    alone = qismc.check(circuit, violated)
    assert not alone and alone.counterexample is not None and alone.counterexample.replayed
    assert len(sure(alone).primes) == 1 and "replayed" in (sure(alone).note or "")
    beside = qismc.check(circuit, {"violated": violated, "holds": "AG (leaf -> |0> \\/ |1>)"})
    assert len(sure(beside).primes) > 1
    inside = qismc.check(circuit, "AG (leaf -> !(|0> \\/ |1>))")
    assert not inside and len(sure(inside).primes) > 1
    assert len(sure(qismc.check(circuit, violated, recheck=1)).primes) == 2


def test_a_bound_that_stays_weak_says_so() -> None:
    weak = sure(qismc.check(tilted(99999999, 1e-12), "EF c == 0"))
    assert weak.error_bound == 1
    assert "says little" in (weak.note or "")


def test_degrees_that_no_double_holds_leave_no_bound() -> None:
    circuit = QuantumCircuit(1)
    circuit.ry(1e-9, 0)
    circuit.ry(1e300, 0)
    result = qismc.check(circuit, "AG (leaf -> |0>)")
    assert not result and result.soundness is not None and result.soundness.error_bound == 1


@pytest.mark.parametrize("bound", [None, 0.0, 1e-9, WEAK_BOUND, 1e-5, 0.01, 0.03, 0.1, 0.9, 1.0])
def test_as_many_primes_as_a_weak_bound_needs(bound: float | None) -> None:
    further = primes_for_strength(bound)
    assert 0 <= further <= MOST_UNASKED
    if bound is None or bound <= WEAK_BOUND or bound > WEAK_BOUND ** (1 / (1 + MOST_UNASKED)):
        assert further == 0
    else:
        assert bound ** (1 + further) <= WEAK_BOUND * (1 + 1e-9) < bound**further


@pytest.mark.parametrize("alone", [1e-2, 1e-4, 0.05, 0.08, 0.9])
def test_two_primes_at_once_count_as_two(alone: float) -> None:
    """Further ones are drawn one at a time: as many as if the first two had been."""
    one = primes_for_strength(alone)
    assert primes_for_strength(alone**2, 2) == max(0, one - 1)
    if one > 1:
        assert alone**2 * alone ** (one - 1) <= WEAK_BOUND * (1 + 1e-9)


def test_every_kind_of_question_is_in_the_bound() -> None:
    """More questions, a larger bound: probabilities, annotations, complements, parts of the qubits."""
    plain = sure(qismc.check(attempts(), "AG (tossed -> full)", seed=1)).error_bound
    assert plain is not None
    for spec, bounds in (
        ("P=1 [F leaf]", None),
        ("P>0 [G !leaf]", None),
        ("AG (leaf -> ~|1>)", None),
        ("AG (leaf -> |0> on q[0])", None),
        ("AG (leaf -> stab(Z))", None),
        ("AG (tossed -> full)", {"leaf": "|0>"}),
    ):
        more = sure(qismc.check(attempts(), spec, annotations=bounds, seed=1)).error_bound  # type: ignore[arg-type]
        assert more is not None and plain < more < 1e-12


def test_denominators_of_propositions_are_in_the_bound() -> None:
    small = sure(qismc.check(idle(1), "AG (|0> + |1>)", seed=1)).error_bound
    large = sure(qismc.check(idle(1), "AG (|0> + 1/10^140 |1>)", seed=1)).error_bound
    assert small is not None and large is not None and large > 100 * small


def turned(angle: float, times: int) -> QuantumCircuit:
    circuit = QuantumCircuit(1)
    for _ in range(times):
        circuit.rz(angle, 0)
        circuit.p(angle, 0)
        circuit.h(0)
    return circuit


def test_the_degree_of_unknowns_is_in_the_bound() -> None:
    exact, few, many = (
        sure(qismc.check(turned(angle, times), "AG (leaf -> |0>)")).error_bound
        for angle, times in ((math.pi / 8, 10), (0.3, 10), (0.3, 100))
    )
    assert exact is not None and few is not None and many is not None
    assert exact < few < many < 1e-12


def test_error_bounds_are_what_they_are_made_of() -> None:
    needs, ledger = Needs(order=24, radicands={5}), Ledger()
    ledger.decided(True, [Size({2: 7.0}, 1.0), Size({}, 2.0)])
    ledger.decided(False, [Size({3: 20.0}, 0.0)], chance=1e-40)
    primes = 2.0**61 / (61.5 * math.log(2)) / 16  # one class of 8 modulo 24, and 5 a square
    assert error_bound(needs, ledger) == pytest.approx(30 * 16 / (61 * primes * 8))
    unbounded = Ledger()
    unbounded.decided(True, [Size({}, math.inf)])
    assert error_bound(needs, unbounded) is None


def test_the_number_of_primes_is_that_of_one_residue_class() -> None:
    """Primes of [2^61, 2^62) by the integral of 1/log, divided by the number of residue classes."""
    steps = 1000
    points = [2.0**61 * (1 + (k + 0.5) / steps) for k in range(steps)]
    all_primes = sum(2.0**61 / steps / math.log(x) for x in points)
    classes = {8: 4, 24: 8, 40: 16, 16: 8}
    for order, count in classes.items():
        assert Needs(order=order).number_of_primes() == pytest.approx(all_primes / count, rel=0.01)
    assert Needs(order=8, radicands={3, 5}).number_of_primes() == pytest.approx(all_primes / 16, rel=0.01)


# --- proofs ------------------------------------------------------------------------------------------------


def test_enough_primes_exceed_the_norm() -> None:
    """The norms of that many prime ideals multiply to more than the number's norm, those of fewer do not."""
    needs = Needs(order=24, radicands={5})
    norm_bits = 112.5 * 16  # the field has degree 8 * 2
    for conjugating, per_prime in ((True, 122), (False, 61)):
        count = primes_for_proof(needs, 112.5, conjugating=conjugating)
        assert count * per_prime > norm_bits >= (count - 1) * per_prime


@pytest.mark.parametrize(
    ("spec", "annotations"),
    [
        ("AG (tossed -> |+>)", {}),
        ("P=1 [F leaf]", {}),
        ("P>0 [G !leaf]", {}),
        ("AG (leaf -> |0>)", {"leaf": "|0>"}),
        ("AG (leaf -> |0> on q[0])", {}),
        ("AG (tossed -> ~|->)", {}),
        ("AG (leaf -> stab(Z) \\/ |1>)", {}),
        ("AG (leaf -> sp(tossed))", {}),
    ],
)
def test_proofs_name_their_primes(spec: str, annotations: dict[str | int, str]) -> None:
    proof = sure(qismc.check(attempts(), spec, annotations=annotations, certify=True))
    assert proof.certified and proof.error_bound == 0.0
    count = len(proof.primes)
    assert proof.note == f"proved with {count} prime{'s' if count > 1 else ''}"
    assert len(set(proof.primes)) == count


def test_angles_with_an_algebraic_cosine_are_proved() -> None:
    """e^(it/2) = sqrt(1/3) + i sqrt(2/3) has a denominator; so has its square root, of unknown sign."""
    circuit, angle = QuantumCircuit(2), 2 * math.acos(math.sqrt(1 / 3))
    circuit.ry(angle, 0)
    assert sure(qismc.check(circuit, "AG (leaf -> |0> + sqrt(2) |1> on q[0])", certify=True)).certified
    circuit.rz(angle / 2, 1)
    proof = sure(qismc.check(circuit, "AG (leaf -> |0> + sqrt(2) |1> on q[0])", certify=True))
    assert not proof.certified and "either sign" in str(proof.note) and proof.error_bound is not None
    for vector in Model(circuit).sp("leaf").vectors:
        bits = sum(size_of(vector).denominator.values())
        assert bits >= 0.5 * math.log2(3) + 0.25 * math.log2(3)


def test_parts_of_many_qubits_are_evaluated_and_the_note_says_so() -> None:
    proof = sure(qismc.check(idle(14), "AG |0> on q[3]", certify=True, numbers="exact"))
    assert not proof.certified and "random points" in str(proof.note)
    assert proof.error_bound is not None and 0 < proof.error_bound < 1e-30


def test_unknowns_are_not_certified() -> None:
    proof = sure(qismc.check(turned(0.3, 1), "AG (leaf -> |0>)", certify=True))
    assert not proof.certified and "unknowns" in str(proof.note) and proof.error_bound is not None


def test_probabilities_in_floating_point_are_outside_of_bounds_and_proofs() -> None:
    for certify in (False, True):
        proof = sure(qismc.check(attempts(), "P>=1/3 [!loop U c == 0 & leaf]", certify=certify))
        assert not proof.certified and "probabilities" in str(proof.note)


@pytest.mark.parametrize("how", [{"recheck": 2}, {"certify": True}])
def test_a_second_look_may_run_out_of_time(monkeypatch: pytest.MonkeyPatch, how: dict[str, Any]) -> None:
    first = sure(qismc.check(tossed(), "AG (tossed -> |+>)"))

    def slow(*_: Any) -> ExactEngine:
        raise LimitReached("1 s passed")

    monkeypatch.setattr(Judge, "_again", slow)
    result = qismc.check(tossed(), "AG (tossed -> |+>)", **how)
    assert result.verdict is Verdict.HOLDS
    assert sure(result) == replace(first, note="a second look was given up (limit: 1 s passed)")


def test_floating_point_has_no_bound() -> None:
    assert qismc.check(tossed(), "AG (tossed -> |+>)", numbers="float").soundness is None


# --- a second look notices ---------------------------------------------------------------------------------


class Lie(NamedTuple):
    """A method that gives a wrong answer whenever it is asked with the first prime of a run."""

    owner: type
    method: str
    answer: Any
    prime_of: Callable[[Any], int]
    spec: str
    bounds: dict[str | int, str] = {}  # noqa: RUF012 - never changed

    def tell(self, monkeypatch: pytest.MonkeyPatch) -> None:
        honest, primes = getattr(self.owner, self.method), list[int]()

        def sometimes(asked: Any, *args: Any) -> Any:
            primes.append(self.prime_of(asked))
            return self.answer if primes[-1] == primes[0] else honest(asked, *args)

        monkeypatch.setattr(self.owner, self.method, sometimes)


LIES = [
    Lie(ExactUntil, "_meets_avoidance", True, lambda u: u.coordinates.solved.engine.primes, "P=1 [F leaf]"),
    Lie(ExactSpan, "contains", True, lambda span: span._engine.primes, "AG (tossed -> |0>)"),
    Lie(ExactEngine, "complement", [], lambda e: e.primes, "AG (leaf -> full)", {"leaf": "|0>"}),
    Lie(ExactEngine, "inner_is_zero", True, lambda e: e.primes, "AG (tossed -> ~|1>)"),
    Lie(ExactEngine, "equal", True, lambda e: e.primes, "AG (tossed -> stab(Z))"),
]


@pytest.mark.parametrize("how", [{"recheck": 1}, {"certify": True}])
@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie.method)
def test_an_error_of_the_first_run_is_noticed(
    monkeypatch: pytest.MonkeyPatch, lie: Lie, how: dict[str, Any]
) -> None:
    def asked(**options: Any) -> qismc.Result:
        return qismc.check(attempts(), lie.spec, annotations=lie.bounds, **options)

    honest = asked().verdict
    with monkeypatch.context() as patch:
        lie.tell(patch)
        assert asked().verdict is not honest
    lie.tell(monkeypatch)
    noticed = asked(**how)
    assert noticed.verdict is Verdict.UNKNOWN and str(noticed.reason).startswith("prime")


def test_a_proof_compares_decisions_and_not_only_verdicts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that errs without a change of the verdict proves nothing."""
    spec = "AG (tossed -> 1/10^90 |0> + |1>)"
    assert len(sure(qismc.check(attempts(), spec, certify=True)).primes) > 2
    honest, seen = ExactEngine.is_zero, dict[int, None]()

    def sometimes(self: ExactEngine, vector: Any) -> bool:
        seen[self.primes] = None
        if list(seen).index(self.primes) == 2:
            self.ledger.decided(True, [])
        return honest(self, vector)

    monkeypatch.setattr(ExactEngine, "is_zero", sometimes)
    noticed = qismc.check(attempts(), spec, certify=True)
    assert noticed.verdict is Verdict.UNKNOWN and "disagree on a decision" in str(noticed.reason)
