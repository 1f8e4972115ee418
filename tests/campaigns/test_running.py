"""The same rows whoever works; outcomes against simulations that share no code with ours."""

from __future__ import annotations

import json
import os
import signal
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from qiskit import QuantumCircuit
from qiskit.quantum_info import Operator, Statevector

import qismc
from qismc.campaigns.mutant import Mutant, MutantResult
from qismc.campaigns.running import campaign, mutants, rows
from qismc.cli import main
from qismc.edits.sampling import drawn
from qismc.errors import UsageError
from qismc.parallel.runner import Inline, processes
from qismc.program.load import read_program
from qismc.program.operators import dense
from qismc.program.program import Program
from qismc.program.statements import Apply

EXAMPLES = Path(__file__).parents[2] / "examples"
FIXED = str(EXAMPLES / "rus_fixed.qasm")


def bare(found: list[MutantResult]) -> list[dict[str, Any]]:
    """Everything but the times."""
    return [{k: v for k, v in row.to_json().items() if k != "seconds"} for row in found]


def ghz() -> QuantumCircuit:
    qc = QuantumCircuit(3, name="ghz")
    qc.h(0)
    qc.cx(0, 1)
    qc.rz(0.5, 1)
    qc.rz(-0.5, 1)
    qc.cx(1, 2)
    return qc


def final_state(program: Program) -> Statevector:
    state = Statevector.from_label("0" * program.num_qubits)
    for statement in program.code:
        if isinstance(statement, Apply):
            matrix = dense(statement.operator.factors, statement.operator.width)
            state = state.evolve(Operator(matrix), list(statement.qubits))
    return state


def test_outcomes_of_a_unitary_program_agree_with_its_final_states() -> None:
    """Without a specification the end is recorded: a mutant is killed iff it ends elsewhere."""
    program = read_program(ghz())
    kinds = ["remove", "insert-pauli", "sign", "swap", "move", "axis", "insert-gate", "control", "operand"]
    found = list(campaign(ghz(), kinds=kinds, count=80, seed=3))
    wanted = final_state(program)
    for row, edit in zip(found, drawn(program, 80, 3, kinds), strict=True):
        overlap = abs(final_state(edit.apply(program)).inner(wanted))
        assert row.outcome == ("equivalent" if overlap > 1 - 1e-9 else "killed"), row.edit
    assert {row.outcome for row in found} == {"killed", "equivalent"}


def test_survivors_are_told_from_equivalent_mutants_and_have_diffs() -> None:
    found = list(campaign(FIXED, {"weak": "AG (leaf -> |1> on q[2])", "ends": "EF leaf"}, count=80))
    counted = Counter(row.outcome for row in found)
    assert counted["survived"] > 10
    assert counted["killed"] > 3
    survivor = next(row for row in found if row.outcome == "survived")
    assert survivor.diff is not None
    assert survivor.diff.startswith("--- a/")


def test_the_same_seed_gives_the_same_rows_on_any_number_of_workers() -> None:
    inline = list(campaign(FIXED, count=25, seed=4))
    assert bare(list(campaign(FIXED, count=25, seed=4, jobs=2))) == bare(inline)
    assert bare(list(campaign(FIXED, count=25, seed=5))) != bare(inline)


def test_an_interrupted_run_is_resumed(tmp_path: Path) -> None:
    out = tmp_path / "rows.jsonl"
    whole = bare(list(campaign(FIXED, count=15)))
    first = campaign(FIXED, count=15, out=out)
    for _ in range(6):
        next(first)
    first.close()  # type: ignore[attr-defined]
    with out.open("a") as stream:
        stream.write('{"program": "rus_fix')  # the process was killed while it wrote
    marked = out.read_text().splitlines()[0].replace('"seconds": ', '"seconds": 1000')
    out.write_text(marked + "\n" + "\n".join(out.read_text().splitlines()[1:]))
    again = list(campaign(FIXED, count=15, out=out))
    assert bare(again) == whole
    assert again[0].seconds >= 1000, "the first row was not computed again"
    assert [json.loads(line)["edit"] for line in out.read_text().splitlines()] == [r["edit"] for r in whole]


def test_rows_of_another_question_are_not_taken_for_answers(tmp_path: Path) -> None:
    out = tmp_path / "rows.jsonl"
    first = list(campaign(FIXED, {"weak": "EF leaf"}, count=5, out=out))
    second = list(campaign(FIXED, count=5, out=out))
    assert [row.edit for row in first] == [row.edit for row in second]
    assert [row.outcome for row in first] != [row.outcome for row in second]
    assert len(out.read_text().splitlines()) == 10


def test_what_exceeds_its_limits_is_unknown() -> None:
    (row, *_) = rows(mutants_of(FIXED, limits=qismc.Limits(seconds=1e-6)), Inline)
    assert row.outcome == "unknown"
    assert row.reason is not None and "passed during" in row.reason


def mutants_of(name: str, **how: Any) -> list[Mutant]:
    found = mutants(name, name, count=4)
    assert isinstance(found, list)
    return [replace(mutant, **how) for mutant in found]


def test_a_mutant_whose_process_hangs_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """The alarm ends the worker; what it worked on is tried again, then given up."""
    from qismc.campaigns import mutant as module

    with module._hard_limit(1000.0):
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0), "the user's own process gets no alarm"
    monkeypatch.setattr(module, "_is_worker", lambda: True)
    before = signal.getsignal(signal.SIGALRM)
    with module._hard_limit(1000.0):
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 900
        assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    signal.signal(signal.SIGALRM, before)


def test_programs_that_violate_their_specification_are_refused() -> None:
    with pytest.raises(UsageError, match=r"rus_buggy.qasm: the program itself is violated"):
        list(campaign(str(EXAMPLES / "rus_buggy.qasm")))


def test_options_must_travel() -> None:
    model = qismc.Model(ghz())
    with pytest.raises(UsageError, match="plain data"):
        list(campaign(ghz(), "AG (leaf -> end)", props={"end": model.sp("leaf")}))


def test_command_line(tmp_path: Path) -> None:
    out = tmp_path / "rows.jsonl"
    args = [
        "campaign",
        FIXED,
        str(EXAMPLES / "rus_buggy.qasm"),
        "--count",
        "8",
        "--jobs",
        "1",
        "--out",
        str(out),
    ]
    done = CliRunner().invoke(main, [*args, "--faults", "remove,axis"])
    assert done.exit_code == 0, done.output
    assert "left out: " in done.output
    assert "8 mutants in" in done.output
    data = [json.loads(line) for line in out.read_text().splitlines()]
    assert len(data) == 8
    assert {"program", "kind", "edit", "source", "outcome", "seconds"} <= data[0].keys()
    assert {row["kind"] for row in data} == {"remove", "axis"}
    wrong = CliRunner().invoke(main, ["campaign", FIXED, "--faults", "remov"])
    assert (wrong.exit_code, "did you mean 'remove'" in wrong.output) == (2, True)
    wrong = CliRunner().invoke(main, ["campaign", FIXED, "--jobs", "2", "--dask", "tcp://nowhere:1"])
    assert wrong.exit_code == 2


def test_folders(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    for name in ("z.qasm", "b/a.qasm"):
        (tmp_path / name).write_text("OPENQASM 2.0;\nqreg q[1];\nU(0,0,0) q[0];\n")
    (tmp_path / "nothing").mkdir()
    found = list(campaign(str(tmp_path), count=2))
    assert [Path(row.program).name for row in found] == ["a.qasm", "a.qasm", "z.qasm", "z.qasm"]
    with pytest.raises(UsageError, match=r"no \.qasm files"):
        list(campaign(str(tmp_path / "nothing")))


def test_a_killed_worker_of_a_pool_costs_no_row() -> None:
    wanted = bare(list(campaign(FIXED, count=20)))
    found = []
    pools = []

    def pool() -> Any:
        pools.append(processes(2)())
        return pools[-1]

    chosen = mutants(FIXED, FIXED, count=20)
    assert isinstance(chosen, list)
    for number, row in enumerate(rows(chosen, pool)):
        if number == 2:
            os.kill(next(iter(pools[-1]._processes)), signal.SIGKILL)
        found.append(row)
    assert bare(found) == wanted


def test_a_killed_worker_of_a_dask_cluster_costs_no_row() -> None:
    distributed = pytest.importorskip("distributed")
    wanted = bare(list(campaign(FIXED, count=20)))
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, protocol="tcp"
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        pids = list(client.run(os.getpid).values())
        found = []
        for number, row in enumerate(campaign(FIXED, count=20, executor=client.get_executor(pure=False))):
            if number == 2:
                os.kill(pids[0], signal.SIGKILL)
            found.append(row)
        args = ["campaign", FIXED, "--count", "5", "--dask", cluster.scheduler_address]
        done = CliRunner().invoke(main, args)
    assert bare(found) == wanted
    assert done.exit_code == 0, done.output
    assert "5 mutants in" in done.output
