"""Realistic bugs of our own code, seeded one at a time; the suite must notice each of them.

    python -m tests.soak.bugs [FIRST [LAST]]

A bug is a piece of text of one file and what stands there instead. Sources and tests are copied, the bug is put
in, and the named tests run: one of them must fail.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
SECONDS = 300
COPIED = ("src", "tests", "docs", "examples", "README.md", "CONTRIBUTING.md", "pyproject.toml")


class Bug(NamedTuple):
    """What goes wrong, where, and which tests notice."""

    name: str
    file: str
    right: str
    wrong: str
    tests: str


SYSTEM, TOYS = "tests/differential/test_random_programs.py", "tests/property/test_posts.py"
WIDE = "tests/differential/test_wide_programs.py"
CONSTRUCTS, GATES = (
    "tests/soak/test_constructs.py",
    "tests/program/test_library.py tests/program/test_gates.py",
)
CTL = "tests/ctl"
VERIFIER, PRES = "tests/verifier", "tests/property/test_pres.py"
CLASSICAL = (
    "tests/program/test_classical.py tests/program/qasm3/test_values.py tests/program/test_from_qiskit.py"
)

BUGS = [
    # --- statements ---
    Bug("a measurement projects on the other outcome", "system/edges.py", "return _projections(qubit)[outcome or 0]", "return _projections(qubit)[1 - (outcome or 0)]", TOYS),
    Bug("a measurement has one outcome", "system/edges.py", "return (0, 1)", "return (0,)", TOYS),
    Bug("an input is always zero", "system/edges.py", "return range(1 << len(statement.bits))", "return range(1)", "tests/levels/test_writer.py tests/differential/test_levels.py"),
    Bug("outcomes are not written down", "system/edges.py", "return write_bit(store, bit, outcome or 0)", "return store", TOYS),
    Bug("preparations forget to reset", "system/edges.py", "return (*resets, (Application(preparation, qubits),))", "return ((Application(preparation, qubits),),)", CONSTRUCTS),
    Bug("channels keep one Kraus operator", "system/edges.py", "for one in kraus),)", "for one in kraus[:1]),)", "tests/system/test_channels.py"),
    Bug("else is then", "system/edges.py", "then if condition.evaluate(store) else otherwise", "otherwise if condition.evaluate(store) else then", TOYS),
    Bug("switches never take their default", "system/edges.py", "statement.cases.get(statement.target.evaluate(store), statement.default)", "statement.cases.get(statement.target.evaluate(store), next(iter(statement.cases.values())))", WIDE),
    Bug("assignments do nothing", "system/edges.py", "return write_bits(store, bits, value.evaluate(store) & mask(len(bits)))", "return store", CONSTRUCTS),
    # --- control flow and liveness ---
    Bug("conditions do not keep bits alive", "system/flow.py", "value |= statement.reads", "value |= 0 if isinstance(statement, Branch) else statement.reads", "tests/system " + TOYS + " " + WIDE),
    Bug("assignments do not keep bits alive", "program/statements.py", "return self.value.reads\n", "return 0\n", "tests/system/test_flow.py"),
    Bug("an indexed assignment kills all bits", "program/statements.py", "sets: ClassVar[int] = 0\n\n    @property\n    def reads(self) -> int:\n        return self.value.reads | self.index.reads", "@property\n    def sets(self) -> int:\n        return mask_of(self.bits)\n\n    @property\n    def reads(self) -> int:\n        return self.value.reads | self.index.reads", "tests/system/test_flow.py"),
    Bug("bits that are measured stay alive where they are read before", "system/flow.py", "if statement.sets:\n                value &= ~statement.sets | always\n            value |= statement.reads", "value |= statement.reads\n            if statement.sets:\n                value &= ~statement.sets | always", "tests/system/test_flow.py"),
    # --- fixed points ---
    Bug("a vector that enlarges the span is dropped", "fixpoint/propagate.py", "images = list(compress(images, fresh))", "images = list(compress(images, fresh)) if len(place) < 2 else []", TOYS),
    Bug("images forget the gates before", "fixpoint/propagate.py", "here = self._behind(prefix, here)", "self._behind(prefix, here)", TOYS),
    Bug("ways that join are taken to bring the same state", "fixpoint/propagate.py", "and self._engine.aligned(known[0], vectors[0])", "and known", TOYS),
    Bug("wp takes operators forwards", "fixpoint/pre.py", "yield tuple(self.engine.compile(adjoint([a])) for a in family)", "yield tuple(self.engine.compile([a]) for a in family)", PRES),
    Bug("wp forgets the gates after the place", "fixpoint/pre.py", "if not gates or not vectors:", "if True:", PRES),
    # --- logic ---
    Bug("AU is EU", "ctl/graph.py", "np.where(hold, graph.degrees, _NEVER)", "np.where(hold, 1, _NEVER).astype(Index)", CTL),
    Bug("EU does not need to hold on the way", "ctl/graph.py", "np.where(hold, 1, _NEVER).astype(Index)", "np.ones(graph.size, dtype=Index)", CTL),
    Bug("G is negated once too little", "ctl/evaluation.py", "return True, true, ~p", "return False, true, ~p", CTL),
    Bug("W is U", "ctl/evaluation.py", "return True, ~q, ~p & ~q", "return False, p, q", CTL),
    Bug("<-> is ->", "ctl/evaluation.py", "return ~(self.truth(left, need) ^ self.truth(right, need))", "return ~self.truth(left, need) | self.truth(right, need)", CTL),
    Bug("remembered truths are used where they are not known", "ctl/evaluation.py", "missing = need & ~known", "missing = need if not known.any() else self.graph.nowhere()", CTL),
    # --- propositions ---
    Bug("De Morgan keeps the meet", "propositions/propositions.py", "return join(perp(left), perp(right))", "return meet(perp(left), perp(right))", "tests/property/test_subspaces.py tests/differential/test_propositions.py"),
    Bug("an expanded meet is a join", "propositions/spanning.py", "return engine.complement(complements[0] + complements[1])", "return expand(engine, left) + expand(engine, right)", "tests/property/test_subspaces.py tests/differential/test_propositions.py tests/numbers tests/engines tests/propositions"),
    Bug("orthogonal to a meet is orthogonal to both", "propositions/membership.py", "return self.contains(perp(proposition), vector)", "return self.orthogonal(proposition.left, vector) or self.orthogonal(proposition.right, vector)", "tests/property/test_subspaces.py tests/differential/test_propositions.py tests/numbers tests/engines tests/propositions"),
    Bug("one line of a product stands for all", "propositions/membership.py", "of_qubit.update(found)", "of_qubit.update(dict.fromkeys(found, letter(engine.ring, '+')))", "tests/propositions/test_membership.py"),
    Bug("signs of stabilisers are lost", "propositions/codes.py", "if sign < 0:", "if sign > 1:", "tests/property/test_subspaces.py tests/differential/test_propositions.py tests/numbers tests/engines tests/propositions"),
    Bug("r and l are taken for each other", "propositions/states.py", "turn = {\"+\": 0, \"r\": 1, \"-\": 2, \"l\": 3}[name]", "turn = {\"+\": 0, \"r\": 3, \"-\": 2, \"l\": 1}[name]", "tests/propositions/test_states.py"),
    # --- gates ---
    Bug("Y is conjugated", "program/gates.py", "return [[zero, -i], [i, zero]]", "return [[zero, i], [-i, zero]]", GATES),
    Bug("ry turns the other way", "program/gates.py", "    return [[cos, -sin], [sin, cos]]", "    return [[cos, sin], [-sin, cos]]", GATES),
    Bug("rz is p", "program/gates.py", '"rz": (1, 1, _phases(-HALF, HALF))', '"rz": (1, 1, _phases(0, 1))', GATES),
    Bug("sxdg is sx", "program/gates.py", "return [[minus, plus], [plus, minus]]", "return [[plus, minus], [minus, plus]]", GATES),
    Bug("u forgets lambda", "program/gates.py", "return [[cos, -(e_lam * sin)], [e_phi * sin, e_phi * e_lam * cos]]", "return [[cos, -sin], [e_phi * sin, e_phi * e_lam * cos]]", GATES),
    Bug("iswap is swap", "program/gates.py", "zero, i = ring.rational(1), ring.rational(0), ring.turn(sign * QUARTER)", "zero, i = ring.rational(1), ring.rational(0), ring.rational(1)", GATES),
    # --- classical expressions ---
    Bug("division rounds down", "program/classical.py", "return quotient if (a < 0) == (b < 0) else -quotient", "return a // b", CLASSICAL),
    Bug("< is <=", "program/classical.py", '"<": lambda a, b: int(a < b),', '"<": lambda a, b: int(a <= b),', CLASSICAL),
    Bug("signed numbers are unsigned", "program/classical.py", "wrap(value, len(bits), signed=True) if self.signed else value", "value", CLASSICAL),
    Bug("results do not wrap", "program/classical.py", "    value &= mask(width)\n", "    value = value\n", CLASSICAL),
    Bug("not is bitwise", "program/classical.py", '"not": lambda a: int(not a),', '"not": lambda a: 1 - (a & 1),', CLASSICAL + " tests/program/qasm3 " + CONSTRUCTS),
    # --- evidence ---
    Bug("a lasso need not go on for ever", "evidence/proof.py", "return endless and always(p)", "return always(p)", "tests/evidence/test_proof.py tests/evidence/test_build.py"),
    Bug("evidence for W is that of U", "evidence/proof.py", "return eventually(p, q) or (endless and always(p))", "return eventually(p, q)", "tests/evidence/test_proof.py tests/evidence/test_explaining.py"),
    Bug("children of evidence are believed", "evidence/proof.py", "                self.check(child)\n", "", "tests/evidence/test_proof.py"),
    Bug("impossible executions on a tableau are believed", "deciders/following.py", "return replayed.replay.possible and not replayed.ending.holds(body)", "return not replayed.ending.holds(body)", "tests/deciders/test_following.py"),
    Bug("executions on a tableau need not show their claim", "deciders/following.py", "return replayed.replay.possible and not replayed.ending.holds(body)", "return replayed.replay.possible", "tests/deciders/test_following.py"),
    Bug("no violation that was replayed needs primes", "deciders/graph.py", "return invariant(formula) is not None and is_robust(formula, self._model.scope.props)", "return True", "tests/certify/test_assurance.py"),
    Bug("signs of strings do not matter at the end of an execution", "evidence/on_tableau.py", "if sign is None or bool(sign) != minus:", "if sign is None:", "tests/evidence/test_on_tableau.py"),
    Bug("an execution is shared with formulas that it does not break", "stabiliser/decide.py", "return same and evaluate(self.no, other.solution)", "return same", "tests/stabiliser/test_replay.py"),
    Bug("any string that is moved or not shows a state outside", "propositions/membership.py", "            if not engine.equal(image, same):\n                return image, same", "            return image, same", "tests/propositions/test_membership.py tests/levels"),
    Bug("floating point takes for zero what it likes", "limits.py", "STRICT = Tolerance(zero=1e-11, measured=1e-11)", "STRICT = Tolerance()", "tests/deciders/test_confirmation.py"),
    Bug("multiples of other angles are on their own", "numbers/multiples.py", "sum(axis=0) <= 1", "sum(axis=0) <= 2", "tests/numbers/test_multiples.py"),
    Bug("improbable executions are believed", "evidence/explanation.py", "if self._builder.replay(path).last.probability >= LIKELY**2:", "if self._builder.replay(path).last.probability >= 0:", "tests/test_steadiness.py"),
    Bug("improbable states are believed", "model/simulation.py", "if least_amplitude(replay) < LIKELY:", "if False:", "tests/test_steadiness.py"),
    Bug("amplitudes along executions multiply", "numbers/rows.py", "return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))", "return rows", "tests/test_steadiness.py"),
    Bug("what is spread against improbable edges is believed", "model/simulation.py", "return least < LIKELY or least_backwards(solved, engine) < LIKELY", "return least < LIKELY", "tests/test_steadiness.py"),
    Bug("lengths on levels pass for probabilities", "levels/lengths.py", "Measured(kept.length**2, run.error(kept.cost))", "Measured(kept.length, run.error(kept.cost))", "tests/deciders/test_likely_on_levels.py"),
    Bug("what is near a fraction is the fraction", "deciders/likely_on_levels.py", "return not difference.any()", "return True", "tests/deciders/test_likely_on_levels.py"),
    Bug("the other side of a bound is shown", "questions/claims.py", "int(self.negated == satisfied)", "int(self.negated != satisfied)", "tests/deciders/test_likely_on_levels.py"),
    # --- the separate checker ---
    Bug("the checker takes may for must", "verifier/logic.py", "return TruthBounds(self._everywhere - truth.may, self._everywhere - truth.must)", "return TruthBounds(self._everywhere - truth.must, self._everywhere - truth.may)", "tests/verifier/test_logic.py"),
    Bug("the checker forgets a Kraus operator of resets", "verifier/steps.py", 'TO_ZERO = (_single("project0"), _single("lower"))', 'TO_ZERO = (_single("project0"),)', VERIFIER),
    Bug("the checker takes what can be reached for what each execution can reach", "verifier/scope.py", "all(speaks_of_executions(part, holds, False) for part in operands)", "all(speaks_of_executions(part, holds) for part in operands)", "tests/verifier/test_scope.py"),
    Bug("the checker takes any start for the program's own", "verifier/own.py", "and not starts_like(init)", "and False", "tests/verifier/test_own.py"),
    Bug("the checker believes that outcomes are impossible", "verifier/system.py", "if image and (span is None or not span.contains(image)):", "if image and span is not None and not span.contains(image):", "tests/verifier/test_verifying.py"),
    Bug("the checker measures one outcome", "verifier/steps.py", "                for value in (0, 1)\n", "                for value in (0,)\n", VERIFIER),
    # --- merging, faults, quantities ---
    Bug("merging is safe for every EF", "questions/formulas.py", 'return operator == "EF" and is_classical(body, propositions)', 'return operator == "EF"', "tests/questions/test_formulas.py tests/property/test_merging.py"),
    Bug("merging is safe for every or", "questions/formulas.py", "return any(is_classical(a, propositions) and _is_joint(b, propositions) for a, b in sides)", "return all(_is_joint(b, propositions) for a, b in sides)", "tests/questions/test_formulas.py tests/property/test_merging.py " + SYSTEM),
    Bug("faults happen after gates of qubits that were not asked for", "faults/model.py", "chosen = [q for q in qubits if not self._where.qubits or q in self._where.qubits]", "chosen = list(qubits)", "tests/faults"),
    Bug("errors of probabilities are not inherited", "probability/effects.py", "return self.chain.effect(k, self.values), error + self.chain.effect(k, self.errors)", "return self.chain.effect(k, self.values), error", "tests/probability"),
    # --- responses, names of points, certainty ---
    Bug("responses forget what triggered them", "levels/translate.py", "promised = logic.disjunction(self.pending, logic.conjunction(guard, trigger))", "promised = logic.conjunction(guard, trigger)", "tests/levels/test_translate.py tests/differential/test_levels.py"),
    Bug("weak responses must be answered", "levels/translate.py", "return self.broken if weak else", "return self.broken if False else", "tests/levels/test_translate.py"),
    Bug("opposites of W are those of U", "questions/asking.py", "syntax.conjunction(right, left), not self.weak)", "syntax.conjunction(right, left), True)", "tests/questions/test_asking.py"),
    Bug("stabilisers do not ask at gates without a name", "stabiliser/walk.py", "self.ask(point, state, state.guard)  # for all of them: no name makes them differ", "pass", "tests/differential/test_stabilisers.py"),
    Bug("stabilisers do not ask at conditional gates without a name", "stabiliser/walk.py", "if stop > point:", "if False:", "tests/differential/test_stabilisers.py"),
    Bug("certainty in floating point is never confirmed", "probability/chances.py", "if path.decided[key] == certain:", "if False:", "tests/probability/test_chances.py"),
    Bug("evidence against certainty starts a goal too far", "probability/certainty.py", "if bundle is not None and self.until.status(here.node) is Status.OPEN:", "if bundle is not None:", "tests/differential/test_probability.py"),
    Bug("bounds are those of the average input", "questions/names.py", "if self.program.inputs and part.bound", "if False and part.bound", "tests/questions/test_names.py"),
    Bug("paths inside of probabilities are left to the graph", "deciders/graph.py", "if timed and is_local(formula) and all(map(self._refiner.knows_labels, timed)):", "if timed:", "tests/deciders/test_graph.py"),
    Bug("faint ways out of a loop are none", "probability/chances.py", "and self._strongest_dropped > FAINT", "and self._strongest_dropped > 1", "tests/probability/test_chances.py"),
    Bug("any state of a trap is blamed", "probability/certainty.py", "return trap.arrivals[next(alone, 0)]", "return trap.arrivals[-1]", "tests/differential/test_probability.py"),
    Bug("readings leave their flags behind", "levels/translate.py", "        apart.clear_flags()\n", "", "tests/distributions/test_final.py"),
    Bug("outcomes are read in the other order", "levels/lengths.py", "further = number | value << place", "further = number << 1 | value", "tests/distributions/test_final.py"),
    # --- types of OpenQASM 3, records, copies ---
    Bug("constants do not wrap around", "program/qasm3/values.py", "number = super().__new__(cls, wrap(value, kind.width, kind.signed))", "number = super().__new__(cls, value)", "tests/program/qasm3/test_arithmetic.py"),
    Bug("single bits are added as bits", "program/qasm3/arithmetic.py", "return INT if kind is not None and kind.is_boolean else kind", "return kind", "tests/program/qasm3"),
    Bug("literals are cut to the width beside them", "program/qasm3/arithmetic.py", "if not isinstance(literal, int) or kind.holds(literal):", "if True:", "tests/program/qasm3"),
    Bug("shifts to the right are cut before they are made", "program/classical.py", 'LOW_DIGITS = frozenset({"+", "-", "*", "&", "|", "^"})', 'LOW_DIGITS = frozenset({"+", "-", "*", "&", "|", "^", ">>"})', "tests/program/test_classical.py"),
    Bug("conditional measurements ask once", "program/qasm2.py", "parts = [[measure] for measure in measures] if rewritten else [measures]", "parts = [measures]", "tests/program/test_qasm2.py"),
    Bug("recorded states come without their account", "engines/exact.py", "        self.ledger.take_over(maker.ledger)\n", "", "tests/model/test_records.py"),
    Bug("recorded states of another prime are used as they are", "engines/native.py", "if maker.form.fingerprint != self.form.fingerprint:", "if False:", "tests/model/test_records.py"),
    Bug("proofs use recorded states as they are", "engines/exact.py", "if self.careful or not isinstance(maker, ExactEngine):", "if not isinstance(maker, ExactEngine):", "tests/model/test_records.py"),
    Bug("a remark about one turn is told of all", "evidence/observations.py", "told = sorted(true_of_all(solved.system.program, found, reached), key=lambda pair: pair[0])", "told = sorted(found, key=lambda pair: pair[0])", "tests/evidence/test_observations.py"),
]  # fmt: skip


def put_in(bug: Bug, folder: Path) -> None:
    file = folder / "src" / "qismc" / bug.file
    text = file.read_text(encoding="utf-8")
    assert text.count(bug.right) == 1, f"{bug.file} has {text.count(bug.right)} times: {bug.right}"
    file.write_text(text.replace(bug.right, bug.wrong), encoding="utf-8")


def caught(bug: Bug) -> bool:
    """Does one of the tests fail with the bug?"""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for name in COPIED:
            source = ROOT / name
            copy = shutil.copytree if source.is_dir() else shutil.copy
            copy(source, folder / name)
        put_in(bug, folder)
        command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", *bug.tests.split()]
        settings = {"QISMC_HYPOTHESIS": "first", "PYTHONDONTWRITEBYTECODE": "1"}  # nothing is made smaller
        environment = {**os.environ, "PYTHONPATH": str(folder / "src"), **settings}
        try:
            done = subprocess.run(
                command, cwd=folder, env=environment, capture_output=True, timeout=SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            return False  # nobody knows
        return done.returncode == 1


def main(first: int = 1, last: int = len(BUGS)) -> int:
    missed, chosen = list[Bug](), BUGS[first - 1 : last]
    for number, bug in enumerate(chosen, first):
        start = time.monotonic()
        found = caught(bug)
        missed += [] if found else [bug]
        word = "caught" if found else "MISSED"
        sys.stdout.write(f"{number:2} {word}  {bug.name} ({bug.file}), {time.monotonic() - start:.0f} s\n")
        sys.stdout.flush()
    sys.stdout.write(f"{len(chosen) - len(missed)} of {len(chosen)} caught\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
