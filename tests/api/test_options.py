"""Options by name: today's, old ones with a warning, and wrong ones."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import qismc
from qismc import Limits, QuantumCircuit, UsageError, Verdict
from qismc.cli import main

ASKED = "AG (leaf -> |0>)"


def coin() -> QuantumCircuit:
    circuit = QuantumCircuit(1, 1, name="coin")
    circuit.h(0)
    circuit.measure(0, 0)
    return circuit


@pytest.mark.parametrize(
    ("function", "told"),
    [
        (
            lambda: qismc.check(coin(), ASKED, metod="levels"),
            "check() has no option 'metod': did you mean 'method'",
        ),
        (
            lambda: qismc.check(coin(), ASKED, enginee="float"),
            "did you mean 'numbers', which was called 'engine'",
        ),
        (lambda: qismc.check(coin(), ASKED, seconds=1), "did you mean 'timeout', which was called 'seconds'"),
        (lambda: qismc.Model(coin(), prop={}), "Model() has no option 'prop': did you mean 'props'"),
        (lambda: qismc.outcomes(coin(), strict=True), "outcomes() has no option 'strict'"),
        (lambda: qismc.equivalent(coin(), coin(), init="|1>"), "equivalent() has no option 'init'"),
        (lambda: qismc.repair(coin(), ASKED, limits_=None), "did you mean 'limits'"),
        (lambda: qismc.campaign(coin(), kind=["axis"]), "did you mean 'kinds'"),
        (lambda: qismc.assert_holds(coin(), ASKED, timeot=1), "did you mean 'timeout'"),
    ],
)
def test_wrong_names_are_told(function: Any, told: str) -> None:
    with pytest.raises(TypeError) as error:
        function()
    assert told in str(error.value)


@pytest.mark.parametrize(
    ("old", "method", "numbers"),
    [
        ({"engine": "float"}, "graph", "float"),
        ({"engine": "stabiliser"}, "stabiliser", "exact"),
        ({"store": "explicit"}, "graph", "exact"),
        ({"store": "levels", "engine": "exact"}, "levels", "exact"),
        ({"engine": "stabiliser", "store": "levels"}, "stabiliser", "exact"),
        ({"engine": "auto", "store": "auto"}, "graph", "exact"),
    ],
)
def test_old_names_work_and_warn_here(old: dict[str, Any], method: str, numbers: str) -> None:
    with pytest.warns(DeprecationWarning, match=r"of check\(\) is now .* goes with 1\.0") as told:
        result = qismc.check(coin(), ASKED, **old)
    assert (result.method, result.numbers) == (method, numbers)
    assert [Path(warning.filename).name for warning in told] == ["test_options.py"]


def test_seconds_are_called_timeout() -> None:
    with pytest.warns(DeprecationWarning, match="timeout=10"):
        assert list(qismc.campaign(coin(), count=2, seconds=10))  # type: ignore[call-arg]
    with pytest.warns(DeprecationWarning, match="seconds= of repair"):
        assert list(qismc.repair(coin(), ASKED, seconds=10))  # type: ignore[call-arg]
    with pytest.warns(DeprecationWarning, match="timeout=10"):
        assert list(qismc.check(coin(), ASKED).repairs(seconds=10))  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"method": "stabiliser", "numbers": "float"}, "without numbers"),
        ({"method": "explicit"}, "method = 'explicit' is unknown"),
        ({"numbers": "exat"}, "did you mean 'exact'"),
        ({"timeout": 0}, "timeout is int 0"),
        ({"memory": "much"}, "memory is str 'much'"),
        ({"timeout": 1, "limits": Limits(seconds=1)}, "are the same"),
        ({"explain": 1}, "explain is int 1"),
    ],
)
def test_what_makes_no_sense_is_an_error(options: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        qismc.check(coin(), ASKED, **options)


def test_a_new_name_and_its_old_one_exclude_each_other() -> None:
    with pytest.raises(UsageError, match="numbers= and engine=, an old name"):
        qismc.check(coin(), ASKED, engine="float", numbers="exact")  # type: ignore[call-arg]


def test_limits_may_be_given_in_parts() -> None:
    result = qismc.check(coin(), ASKED, timeout=1e-6, limits=Limits(locations=5))
    assert result.verdict is Verdict.UNKNOWN and "1e-06 s" in str(result.reason)
    assert "more than 1 locations" in str(
        qismc.check(coin(), ASKED, timeout=60, limits=Limits(locations=1)).reason
    )


def test_all_options_are_parameters() -> None:
    parameters = inspect.signature(qismc.check).parameters
    assert parameters["method"].default == "auto" and parameters["threads"].default == 1
    assert not any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters.values())


def test_explanations_can_wait() -> None:
    silent = qismc.check(coin(), ASKED, explain=False)
    told = qismc.check(coin(), ASKED)
    assert not [hint for hint in silent["spec"].hints if hint.kind == "change"]
    assert silent.explain().to_json()["results"] == told.to_json()["results"]
    assert silent.explain("spec")["spec"].hints == told["spec"].hints
    assert len(silent["spec"].hints) < len(told["spec"].hints)


def test_the_command_line_says_what_options_are_called_now(tmp_path: Path) -> None:
    file = tmp_path / "coin.qasm"
    file.write_text('OPENQASM 3.0; include "stdgates.inc"; qubit q; h q;')
    new = CliRunner().invoke(main, ["check", str(file), "--spec", "AG (leaf -> |+>)", "--numbers", "float"])
    old = CliRunner().invoke(main, ["check", str(file), "--spec", "AG (leaf -> |+>)", "--engine", "float"])
    assert new.exit_code == old.exit_code == 0 and "float engine" in old.stdout
    assert not new.stderr
    assert old.stderr == "warning: --engine float is now --numbers float; the old name goes with 1.0\n"
    both = CliRunner().invoke(main, ["show", str(file), "--engine", "float", "--numbers", "exact"])
    assert both.exit_code == 2 and "its old name" in both.stderr


def test_what_the_command_line_does_python_does(tmp_path: Path) -> None:
    assert dict(qismc.outcomes(coin(), "c")) == pytest.approx({0: 0.5, 1: 0.5})
    file, text = tmp_path / "coin.json", 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit q;\nx q;\n'
    assert qismc.check(text, "AG (leaf -> |1>)", certificate=file)
    assert qismc.verify_certificate(file, text).complete
    with pytest.raises(qismc.Refused):
        qismc.verify_certificate(file, text.replace("x q", "h q"))
