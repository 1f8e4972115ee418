"""The repeat-until-success bug: found, explained, repaired."""

from __future__ import annotations

from rich.console import Console

from qismc.api.functions import check
from qismc.api.objects import Model
from qismc.program import QuantumCircuit
from qismc.report import report

TARGET = "1/sqrt(3) |001> + i sqrt(2)/sqrt(3) |011>"
SPEC = {"correct": "AG (leaf -> target)", "ends": "AF leaf"}


def repeat_until_success(*, reset_ancilla: bool) -> QuantumCircuit:
    """Apply (I + i sqrt(2) X)/sqrt(3) to qubit 1: try with ancilla qubit 0 until its measurement gives 0."""
    qc = QuantumCircuit(3, 1, name="repeat-until-success")
    qc.x(2)
    qc.measure(2, 0)
    with qc.while_loop((qc.clbits[0], 1)):
        if reset_ancilla:
            qc.reset(0)
        qc.h(0)
        qc.t(0)
        qc.cx(0, 1)
        qc.h(0)
        qc.cx(0, 1)
        qc.t(0)
        qc.h(0)
        qc.measure(0, 0)
    return qc


def run(console: Console) -> None:
    """Check the buggy program and the repaired one, and print what was found."""
    console.rule("1. A repeat-until-success loop that forgets to reset its ancilla")
    buggy = repeat_until_success(reset_ancilla=False)
    console.print(report(check(buggy, {"correct": SPEC["correct"]}, props={"target": TARGET})))
    _explain(console, buggy, "One turn of the loop is right. The second turn starts with the ancilla in |1>.")

    console.rule("2. The same loop with reset(0) first")
    fixed = repeat_until_success(reset_ancilla=True)
    console.print(report(check(fixed, SPEC, props={"target": TARGET})))
    _explain(console, fixed, "Now every exit is on target; AF leaf fails because bad luck may last for ever.")


def _explain(console: Console, circuit: QuantumCircuit, lesson: str) -> None:
    dimension = Model(circuit).sp("leaf").dimension
    console.print(
        f"States that can reach the exit span {dimension} dimension{'s' if dimension > 1 else ''}. {lesson}\n"
    )
