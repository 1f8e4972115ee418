"""Which store is taken, and what is said about it."""

from __future__ import annotations

import json
from typing import Literal

import numpy as np
import pytest
from click.testing import CliRunner

import qismc
from benchmarks.measured import all_measured, ghz_measured
from qismc import Limits, Model, QuantumCircuit, UsageError, Verdict
from qismc.cli import main
from qismc.deciders import strategy as stores
from qismc.deciders.stabilisers import true_on_stabilisers
from qismc.language.specification import read_specification
from qismc.levels import decide, orders, translate
from qismc.limits import Budget, Trial

LIMITS = Limits(locations=500, seconds=0.05)


def coins(count: int) -> QuantumCircuit:
    return all_measured(count).circuit


def test_small_stores_stay_explicit() -> None:
    result = qismc.check(coins(3), "AG (leaf -> c != 0)")
    assert result and result.statistics.store == "explicit" and result.statistics.level_bits == 0


def test_large_stores_go_to_levels() -> None:
    result = qismc.check(coins(40), "AG (leaf -> c != 0)", numbers="exact")
    assert result and result.statistics.store == "levels" and result.statistics.level_bits == 40
    assert "points" in str(result) and "2^40 stores at once" in str(result)
    stats = result.to_json()["stats"]
    assert stats["store"] == "levels" and stats["level_bits"] == 40
    assert result.locations == len(Model(coins(40)).program.code)


def test_outcomes_that_are_certain_stay_explicit_whatever_their_number() -> None:
    result = qismc.check(ghz_measured(60).circuit, "AG (leaf -> c[0] == c[59])", numbers="exact")
    assert result and result.statistics.store == "explicit"


@pytest.mark.parametrize(("gates", "store"), [(20, "levels"), (5_000, "explicit")])
def test_a_long_way_is_not_gone_again_for_what_is_measured_at_its_end(gates: int, store: str) -> None:
    circuit = QuantumCircuit(8, 8)
    for k in range(gates):
        circuit.t(k % 8)
    circuit.h(range(7))
    circuit.measure(range(8), range(8))
    result = qismc.check(circuit, "AG (leaf -> |0> on q[7])")
    assert result and result.statistics.store == store


@pytest.mark.parametrize("threshold", [12, 11])
def test_while_levels_do_not_get_through_the_explicit_store_goes_on(
    threshold: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(orders, "FIRST_OPERATIONS", 1)
    monkeypatch.setattr(orders, "PATIENCE", 1)  # levels never get through
    monkeypatch.setattr(stores, "FURTHER_TRIALS", (Trial(1_500), Trial(50_000)))
    monkeypatch.setattr(Budget, "elapsed", property(lambda _: 0.0))  # however fast the machine is
    circuit = QuantumCircuit(12, 12)
    circuit.ry(0.3, range(12))
    circuit.measure(range(12), range(12))
    total = " + ".join(f"c[{k}]" for k in range(12))
    result = qismc.check(circuit, f"AG (leaf -> {total} <= {threshold})", numbers="exact")
    assert result.verdict is (Verdict.HOLDS if threshold == 12 else Verdict.VIOLATED)
    assert result.statistics.store == "explicit"
    assert [tried.decider for tried in result.tried] == ["graph", "levels"]


def test_conditions_that_grow_are_not_written_on_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(translate, "MOST_FUNCTIONS", 3)
    result = qismc.check(coins(4), "AG (leaf -> c[0] + c[1] + c[2] >= 1)", method="levels", numbers="exact")
    assert result.verdict is Verdict.HOLDS and result.statistics.store == "explicit"
    assert "conditions of more than 3 parts" in result.notes[0]


@pytest.mark.parametrize("formula", ["AF leaf", "A [true U leaf]", "P=1 [F leaf]", "P=1 [true U leaf]"])
def test_that_programs_without_loops_end_needs_no_levels(
    formula: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decide, "translate", None)
    result = qismc.check(coins(40), formula, numbers="exact", limits=Limits(locations=3_000))
    assert result and result.statistics.store == "levels" and result.statistics.level_bits == 0


def test_loops_among_many_outcomes_need_not_end() -> None:
    circuit = coins(14)
    with circuit.while_loop((circuit.clbits[0], 1)):
        circuit.h(1)
    limits = Limits(locations=3_000)
    result = qismc.check(circuit, "AF leaf", numbers="exact", limits=limits)
    assert result.verdict is Verdict.UNKNOWN and "whether loops end" in str(result.reason)


def test_many_qubits_go_to_stabilisers() -> None:
    alone = qismc.check(coins(40), "AG (leaf -> c != 0)")
    assert alone.engine == "stabiliser" and alone.statistics.store == "symbols"
    assert alone.to_json()["stats"]["symbols"] == 39 and not alone.notes


def test_stores_that_grow_go_to_stabilisers() -> None:
    circuit = coins(11)
    circuit.reset(range(11))
    assert qismc.check(circuit, "AG (leaf -> c != 0)").engine == "stabiliser"
    circuit.t(0)
    assert qismc.check(circuit, "AG (leaf -> c != 0)").engine == "exact"


@pytest.mark.parametrize("store", ["graph", "levels"])
def test_choosing_a_store(store: str) -> None:
    result = qismc.check(coins(4), {"a": "AG (leaf -> c != 0)", "b": "EF c == 15"}, method=store)
    assert result and result.method == store


def test_formulas_that_need_the_graph_are_decided_explicitly() -> None:
    formulas = {"easy": "AG (leaf -> c != 0)", "paths": "AX (c == 2)"}
    result = qismc.check(coins(3), formulas, method="levels")
    assert [r.verdict for r in result] == [Verdict.HOLDS, Verdict.VIOLATED]
    assert result.statistics.store == "levels"
    assert any("asks for paths" in note for note in result.notes)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"numbers": "float"}, "floating point"),
        ({"annotations": {"init": "|000>"}}, "annotations"),
        ({"paths": "all"}, "paths"),
    ],
)
def test_models_that_need_the_explicit_store(options: dict, reason: str) -> None:
    result = qismc.check(coins(3), "AG (leaf -> true)", method="levels", **options)
    assert result and result.statistics.store == "explicit"
    assert any(reason in note for note in result.notes)


def test_if_both_give_up_the_reason_names_both() -> None:
    result = qismc.check(coins(40), "AG (leaf -> c != 0)", limits=LIMITS, numbers="exact")
    if result.verdict is Verdict.UNKNOWN:  # a fast machine may get through
        assert result.reason is not None and result.reason.startswith("limit")


def test_limits_of_both_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from qismc.levels import orders

    monkeypatch.setattr(orders, "FIRST_OPERATIONS", 1)
    monkeypatch.setattr(orders, "ROUNDS", 1)
    circuit = coins(40)
    circuit.cx(range(39), range(1, 40))
    circuit.measure(range(40), range(40))
    result = qismc.check(circuit, "AG (leaf -> c != 0)", limits=Limits(locations=3000), numbers="exact")
    assert result.verdict is Verdict.UNKNOWN and result.reason is not None
    assert "more than 3000 locations" in result.reason and "with the store on levels" in result.reason


def test_unknown_methods_are_refused() -> None:
    with pytest.raises(UsageError, match="method = 'both'"):
        qismc.check(coins(2), "AG true", method="both")  # type: ignore[arg-type]


def test_the_command_line_knows_stores(tmp_path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "coins.qasm"
    file.write_text(
        'OPENQASM 2.0;\ninclude "qelib1.inc";\nqreg q[2];\ncreg c[2];\nh q;\nmeasure q -> c;\n'
        "//@ spec all: EF (leaf & c == 3)\n"
    )
    shown = CliRunner().invoke(main, ["check", str(file), "--method", "levels", "--json"])
    assert shown.exit_code == 0 and json.loads(shown.stdout)["stats"]["store"] == "levels"


def test_further_primes_and_proofs() -> None:
    once = qismc.check(coins(4), "AG (leaf -> c != 0)", method="levels")
    again = qismc.check(coins(4), "AG (leaf -> c != 0)", method="levels", recheck=2)
    assert once.soundness is not None and again.soundness is not None
    assert len(again.soundness.primes) == 3
    assert once.soundness.error_bound is not None and again.soundness.error_bound is not None
    assert again.soundness.error_bound < once.soundness.error_bound**2
    proof = qismc.check(coins(4), "AG (leaf -> c != 0)", method="levels", certify=True)
    assert proof.soundness is not None and proof.soundness.certified and proof.soundness.error_bound == 0


def test_proofs_say_where_random_points_were_asked() -> None:
    circuit = QuantumCircuit(2, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    with circuit.while_loop((circuit.clbits[0], 1)):
        circuit.h([0, 1])
        circuit.measure(0, 0)
        circuit.reset(1)
    result = qismc.check(circuit, "AG (leaf -> c == 0)", method="levels", certify=True)
    assert result and result.soundness is not None
    assert result.soundness.certified == (result.soundness.error_bound == 0)
    assert result.soundness.error_bound is not None and result.soundness.error_bound < 1e-12


def dependent(coins: int) -> QuantumCircuit:
    """cos(d/2) = cos(a/2) cos(b/2), so that the outcome 4 of the first three qubits is impossible."""
    a, b = 0.7132, 1.1178
    circuit = QuantumCircuit(3 + coins, 3 + coins)
    circuit.h(2)
    circuit.cry(2 * np.arccos(np.cos(a / 2) * np.cos(b / 2)), 2, 0)
    circuit.x(2)
    circuit.cry(a, 2, 0)
    circuit.cry(b, 2, 1)
    circuit.h(2)
    circuit.h(range(3, 3 + coins))
    circuit.measure(range(3 + coins), range(3 + coins))
    return circuit


@pytest.mark.parametrize("store", ["graph", "levels"])
def test_dependent_angles_are_decided_in_floating_point(store: Literal["graph", "levels"]) -> None:
    formulas = {"never": "AG (leaf -> c != 4)", "one": "EF (leaf & c == 1)"}
    result = qismc.check(dependent(1), formulas, method=store)
    assert result and any("decided in floating point" in note for note in result.notes)


def test_dependent_angles_of_many_outcomes_are_a_doubt() -> None:
    formulas = {"never": "AG (leaf -> c != 4)", "one": "EF (leaf & c == 1)"}
    result = qismc.check(dependent(20), formulas, method="levels", limits=Limits(locations=500))
    assert result["one"] and result["never"].verdict is Verdict.UNKNOWN
    assert result["never"].reason is not None and result["never"].reason.startswith("numeric: ")


def test_what_holds_for_all_angles_says_so() -> None:
    circuit = QuantumCircuit(2, 2)
    circuit.ry(0.3, 0)
    circuit.measure(0, 0)
    circuit.ry(0.2, 1)
    circuit.ry(-0.2, 1)
    circuit.measure(1, 1)
    formulas = {"undone": "AG (leaf -> !c[1])", "end": "EF (leaf & c == 1)"}
    explicit, levels = (qismc.check(circuit, formulas, method=store) for store in ("graph", "levels"))
    assert levels.statistics.store == "levels" and levels.notes == explicit.notes
    assert explicit.notes == ("undone holds for all values of its angles, related ones kept in relation",)


def test_limits_name_both_stores() -> None:
    circuit = QuantumCircuit(20, 20)
    circuit.h(range(20))
    circuit.measure(range(20), range(20))
    result = qismc.check(circuit, "AX AX c == 0", limits=Limits(locations=500))
    (one,) = result.results
    assert one.verdict is Verdict.UNKNOWN and one.reason is not None
    assert "more than 500 locations" in one.reason and "cannot go on levels" in one.reason


def test_stabilisers_tell_without_evidence() -> None:
    """The same truth as a check's; none where gates, options or formulas ask for more."""
    pair = QuantumCircuit(2, 1)
    pair.h(0)
    pair.cx(0, 1)
    pair.measure(0, 0)
    for text in (
        "AG (leaf -> stab(ZZ))",
        "AG (leaf -> stab(XX))",
        "EF (leaf & c == 1)",
        "EF (!leaf & c == 1)",
    ):
        wanted = read_specification(text, Model(pair).program)
        assert true_on_stabilisers(Model(pair), wanted) == bool(qismc.check(pair, text, numbers="float"))
    turned = pair.copy()
    turned.t(0)
    wanted = read_specification("AG (leaf -> stab(ZZ))", Model(pair).program)
    assert true_on_stabilisers(Model(turned), wanted) is None
    assert true_on_stabilisers(Model(pair, numbers="float"), wanted) is None
    assert true_on_stabilisers(Model(pair, paths="all"), wanted) is None
    for others, known in (([], None), (["EF (leaf & c == 1)"], None), (["AG (leaf -> stab(XX))"], False)):
        wanted = read_specification(["AX true", *others], Model(pair).program)
        assert true_on_stabilisers(Model(pair), wanted) is known
