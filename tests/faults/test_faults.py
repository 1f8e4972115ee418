"""Codes do what is known of them; verdicts agree with every combination of faults simulated one by one."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from qiskit import QuantumCircuit as QiskitCircuit
from qiskit.quantum_info import Statevector

import qismc
from qismc import Faults, QuantumCircuit, Result
from qismc.cli import main
from qismc.errors import UsageError

from .codes import KEPT, bit_flip, five_qubit, repetition, steane

PAULIS = ("X", "Y", "Z")


def faults_named(result: Result) -> list[str]:
    execution = result.counterexample
    assert execution is not None
    assert execution.replayed
    return [hint.text.split("fault: ")[1] for hint in execution.hints if hint.kind == "fault"]


# --- codes ---


def test_the_bit_flip_code_corrects_every_x_and_not_every_z() -> None:
    where = ("data", "encoded")
    assert qismc.check(bit_flip(), KEPT, faults=Faults("X", where=where))
    (named,) = faults_named(qismc.check(bit_flip(), KEPT, faults=Faults("Z", where=where)))
    assert named.startswith("Z on data[")
    assert len(faults_named(qismc.check(bit_flip(), KEPT, faults=Faults("X", 2, where)))) == 2


def test_the_five_qubit_code_corrects_every_pauli_on_data() -> None:
    assert qismc.check(five_qubit(), KEPT, faults=Faults(PAULIS, where=("share", "encoded")))


@pytest.mark.parametrize("wrong", ["IIXII", "ZIIII"])
def test_a_wrong_table_entry_is_found_and_its_fault_named(wrong: str) -> None:
    result = qismc.check(five_qubit(wrong), KEPT, faults=Faults(PAULIS, where=("share", "encoded")))
    (named,) = faults_named(result)
    place = next(k for k, letter in enumerate(wrong) if letter != "I")
    assert named.startswith(f"{wrong[place]} on share[{place}]")


def test_steane_corrects_every_pauli_on_data_but_not_every_two() -> None:
    assert qismc.check(steane(), KEPT, faults=Faults(PAULIS, where=("data", "encoded")))
    assert len(faults_named(qismc.check(steane(), KEPT, faults=Faults("X", 2, ("data", "encoded"))))) == 2


def test_a_bare_probe_is_not_fault_tolerant_and_a_flag_makes_it_so() -> None:
    everything = Faults(where=("encoded..noisy_end",))
    (named,) = faults_named(qismc.check(steane("bare"), KEPT, faults=everything))
    assert named.startswith(("X on probe[0] after 'cx probe[0], data[4]'", "Y on probe[0]"))
    assert qismc.check(steane("flag"), KEPT, faults=everything)


@pytest.mark.parametrize("store", ["graph", "levels"])
def test_a_repetition_code_notices_all_flips_but_the_logical_one(store: str) -> None:
    """With at most 4 of 5 flips a syndrome of zeros means that nothing happened; 5 flips go unnoticed."""
    spec = "AG (leaf & s == 0 -> (|000000> + |111111>) on data, ref)"
    where = ("data", "encoded")
    assert qismc.check(repetition(5), spec, faults=Faults("X", 4, where), method=store)
    result = qismc.check(repetition(5), spec, faults=Faults("X", 5, where), method=store)
    named = faults_named(result)
    assert sorted(text.split(" before")[0] for text in named) == [f"X on data[{k}]" for k in range(5)]


# --- brute force ---


def circuit(seed: int) -> QiskitCircuit:
    rng = random.Random(seed)
    qc = QiskitCircuit(2)
    for _ in range(rng.randrange(2, 5)):
        if rng.random() < 0.4:
            qc.cx(*rng.sample(range(2), 2))
        else:
            getattr(qc, rng.choice("hsxt"))(rng.randrange(2))
    return qc


def with_faults_inserted(qc: QiskitCircuit, kinds: str, most: int) -> Iterator[QiskitCircuit]:
    """Every circuit with at most so many Paulis, each after a gate on one of its qubits."""
    sites = [(k, qc.find_bit(q).index) for k, step in enumerate(qc.data) for q in step.qubits]
    for count in range(most + 1):
        for chosen in combinations(sites, count):
            for letters in product(kinds, repeat=count):
                made = qc.copy_empty_like()
                for k, step in enumerate(qc.data):
                    made.append(step)
                    for (place, qubit), letter in zip(chosen, letters, strict=True):
                        if place == k:
                            getattr(made, letter.lower())(qubit)
                yield made


SPACES = {"|00> + |11>": [[1, 0, 0, 1]], "|0> on q[0]": [[1, 0, 0, 0], [0, 0, 1, 0]],
          "span(|00>, |01> + |10>, |11>)": [[1, 0, 0, 0], [0, 1, 1, 0], [0, 0, 0, 1]]}  # fmt: skip


@pytest.mark.parametrize("most", [1, 2])
@pytest.mark.parametrize("kinds", ["X", "Z", "XYZ"])
def test_verdicts_agree_with_simulations_of_all_combinations(kinds: str, most: int) -> None:
    seen = set()
    for seed in range(10):
        qc = circuit(seed)
        for text, vectors in SPACES.items():
            basis = np.linalg.qr(np.array(vectors, dtype=complex).T)[0]
            states = [Statevector(made).data for made in with_faults_inserted(qc, kinds, most)]
            truth = all(np.linalg.norm(basis.conj().T @ state) > 1 - 1e-9 for state in states)
            result = qismc.check(qc, f"AG (leaf -> {text})", faults=Faults(tuple(kinds), most))
            assert bool(result) == truth, (seed, text)
            seen.add(truth)
    assert True in seen or kinds == "XYZ"
    assert False in seen


def test_wrong_readouts() -> None:
    qc = QuantumCircuit(1, 2)
    qc.x(0)
    qc.measure(0, 0)
    qc.measure(0, 1)
    assert qismc.check(qc, "AG (leaf -> c == 3)")
    one = Faults("readout")
    assert qismc.check(qc, "AG (leaf -> c != 0)", faults=one)
    (named,) = faults_named(qismc.check(qc, "AG (leaf -> c == 3)", faults=one))
    assert named.startswith("wrong readout of 'measure q[0]")
    assert not qismc.check(qc, "AG (leaf -> c != 0)", faults=Faults("readout", 2))
    assert not qismc.check(qc, "AG (leaf -> c != 0)", faults=Faults("X"))


def test_faults_in_loops_share_one_budget() -> None:
    """Each turn flips q[1]; a fault there is possible in every turn, but only once in all of them."""
    qc = QuantumCircuit(2, 1)
    qc.h(0)
    qc.measure(0, 0)
    with qc.while_loop((qc.clbits[0], 1)):
        qc.id(1)
        qc.reset(0)
        qc.h(0)
        qc.measure(0, 0)
    faults = Faults("X", where=("q[1]", "gates"))
    assert not qismc.check(qc, "AG (leaf -> |0> on q[1])", faults=faults)
    assert qismc.check(qc, "AG (leaf -> |00> \\/ |01>)", faults=faults)
    assert qismc.check(qc, "EF (leaf & |0> on q[1])", faults=Faults("X", 2, ("q[1]", "gates")))


def test_sp_of_a_mark_speaks_of_the_program_without_faults() -> None:
    """Else a fault before the mark would be part of what is to be kept."""
    qc = QuantumCircuit(1)
    qc.h(0)
    qc.mark("made")
    qc.id(0)
    assert not qismc.check(qc, "AG (leaf -> sp(made))", faults=Faults("Z", where=("gates",)))
    assert qismc.check(qc, "AG (leaf -> sp(made))", faults=Faults("X", where=("gates",)))


# --- where, and wrong input ---


def test_sites_can_be_chosen() -> None:
    qc = QuantumCircuit(1, 1)
    qc.reset(0)
    qc.id(0)
    qc.mark("later")
    qc.measure(0, 0)
    spec = "AG (leaf -> c == 0)"
    for where in ("resets", "gates", "measurements", "later", "q[0]", "q", "later..", "..later"):
        (named,) = faults_named(qismc.check(qc, spec, faults=Faults("X", where=where)))
        place = {"resets": "after 'reset", "gates": "after 'id", "measurements": "before 'measure"}
        wanted = place.get(where) or ("before 'measure" if where.startswith("later") else "after '")
        assert wanted in named, (where, named)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Faults("W"), "unknown kind of fault 'W'"),
        (lambda: Faults(()), "no kind of fault"),
        (lambda: Faults(at_most=0), "must be at least 1"),
        (lambda: qismc.check(bit_flip(), KEPT, faults=Faults(), certificate="c.json"), "do not cover faults"),
        (lambda: Faults.parse("most=1"), "no setting of faults"),
        (lambda: Faults.parse("at-most=x"), "is no number"),
        (lambda: qismc.check(bit_flip(), KEPT, faults=Faults(where="dat")), "did you mean 'data'"),
        (lambda: qismc.check(bit_flip(), KEPT, faults=Faults("readout", where="gates")), "no place for"),
    ],
)  # fmt: skip
def test_wrong_settings_are_refused(make: object, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        make()  # type: ignore[operator]


def test_parse() -> None:
    assert Faults.parse("at-most=2") == Faults(at_most=2)
    assert Faults.parse("kinds=xz+readout, where=data+encoded..") == Faults(
        ("X", "Z", "readout"), 1, ("data", "encoded..")
    )


def test_command_line(tmp_path: Path) -> None:
    file = tmp_path / "code.qasm"
    file.write_text(
        "OPENQASM 2.0;\nqreg q[1];\ncreg c[1];\n//@ spec AG (leaf -> c == 0)\nmeasure q[0] -> c[0];\n"
    )
    run = CliRunner()
    assert run.invoke(main, ["check", str(file), "--quiet"]).exit_code == 0
    assert run.invoke(main, ["check", str(file), "--faults", "at-most=1,kinds=Z", "--quiet"]).exit_code == 0
    found = run.invoke(main, ["check", str(file), "--faults", "at-most=1"])
    assert found.exit_code == 1
    assert "is a fault: X on q[0] before 'measure q[0] -> c[0]'" in " ".join(found.output.split())
    assert run.invoke(main, ["check", str(file), "--faults", "at-most=-1"]).exit_code == 2


def test_a_code_is_repaired_under_faults() -> None:
    """The table has no entry for the last qubit; what repairs it must hold under every fault."""
    broken = bit_flip({1: 0, 3: 1, 0: 2})
    found = qismc.repair(broken, KEPT, faults=Faults("X", where=("data", "encoded")), limit=1)
    (one,) = found
    assert "replace 'if (s == 0)' by 'if (s == 2)'" in one.text
