"""Texts of a certificate: what has no meaning is refused, what is too large is not looked at."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from qismc import QuantumCircuit
from qismc.errors import UsageError
from qismc.verifier import NotChecked, Refused, texts, vectors

from .programs import certified, verified

Data = dict[str, Any]


def coin() -> QuantumCircuit:
    circuit = QuantumCircuit(1, 2)
    circuit.h(0)
    circuit.mark("tossed")
    circuit.measure(0, 0)
    return circuit


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Data:
    return certified(tmp_path_factory.mktemp("honest"), coin(), "AG true", keep_dead=True)[1]


def asked(path: Path, data: Data, spec: str = "AG true", init: str | None = None, **props: str) -> None:
    data = copy.deepcopy(data)
    data["claims"] = [{"name": "it", "spec": spec, "verdict": "holds"}]
    data["specification"] |= {"props": props, "init": init}
    verified(path, data, coin())


def test_nothing_is_claimed(tmp_path: Path, honest: Data) -> None:
    with pytest.raises(Refused, match="it claims nothing"):
        verified(tmp_path, {**honest, "claims": []}, coin())
    with pytest.raises(Refused, match="same name"):
        verified(tmp_path, {**honest, "claims": honest["claims"] * 2}, coin())


@pytest.mark.parametrize("init", ["zero", "'all zero'", "zero \\/ zero", "span(zero)", "nothing"])
def test_a_start_in_the_zero_space(tmp_path: Path, honest: Data, init: str) -> None:
    with pytest.raises(Refused, match="zero space"):
        asked(tmp_path, honest, init=init, nothing="zero", **{"all zero": "zero"})


@pytest.mark.parametrize("init", ["sp(leaf)", "p"])
def test_a_start_that_rests_on_itself(tmp_path: Path, honest: Data, init: str) -> None:
    with pytest.raises(Refused, match="what is reached from there"):
        asked(tmp_path, honest, init=init, p="sp(leaf) \\/ |0>")


@pytest.mark.parametrize(
    "spec",
    [
        "true | p",
        "true | (|0> /\\ p)",
        "true | |00>",
        "true | |0> - |0>",
        "true | stab(ZZ)",
        "true | |0> on q[1]",
        "true | |00> on q[0], q",
        "true | lef",
        "true | c",
        "true | c[2]",
        "true | d == 1",
        "true | 'leaf'",
        "true | narrow",
    ],
)
def test_parts_that_mean_nothing(tmp_path: Path, honest: Data, spec: str) -> None:
    """Their truth does not matter, and yet the formula is none."""
    with pytest.raises(Refused):
        asked(tmp_path, honest, spec, narrow="|00>")


@pytest.mark.parametrize("props", [{"a": "a"}, {"a": "b", "b": "~d", "d": "|0> \\/ a"}])
def test_definitions_in_a_circle(tmp_path: Path, honest: Data, props: dict[str, str]) -> None:
    with pytest.raises(Refused, match="defined by itself"):
        asked(tmp_path, honest, **props)


def test_definitions_that_grow(tmp_path: Path, honest: Data) -> None:
    doubled = {f"p{k}": f"p{k - 1} \\/ p{k - 1}" for k in range(1, 40)}
    with pytest.raises(NotChecked, match="parts"):
        asked(tmp_path, honest, p0="|0>", **doubled)
    chained = {f"p{k}": f"~p{k - 1}" for k in range(1, 400)}
    with pytest.raises(NotChecked, match="levels deep"):
        asked(tmp_path, honest, p0="|0>", **chained)


@pytest.mark.parametrize(
    "spec",
    [
        "c in {" + ", ".join(map(str, range(4000))) + "}",
        "true | (" + " + ".join(["sqrt(2)"] * 2000) + ") |0>",
        "true | " + "*".join(["9^99"] * 250) + "|0>",
        "at most 1 of (" * 12 + "c[0]" + ", c[1], c[0])" * 12,
        "true | " + "sqrt(" + "9" * 900 + ") |0>",
        "true | exp(10^400 i) |0>",
        "true | exp(10^17 i) |0>",
        "true | 1/(10^400 sqrt(2) - 10^400 sqrt(2)) |0>",
        "true | sqrt(99999989) |0>",
        "true | exp(i pi/1000000000000000003) |0>",
        "true | exp(i pi/2^200) |0>",
        "true | ("
        + " + ".join(f"sqrt({p})" for p in (9973, 9967, 9949, 9941, 9931, 9929, 9923, 9907, 9901))
        + ")|0>",
        "true | |W99999>",
        "c == 0x" + "f" * 5000,
        "c == " + "9" * 900,
    ],
)
def test_large_ones_end_in_an_answer(tmp_path: Path, honest: Data, spec: str) -> None:
    try:
        asked(tmp_path, honest, spec)
    except (NotChecked, Refused, UsageError) as answer:
        assert len(str(answer)) < 1000


def test_long_texts(tmp_path: Path, honest: Data, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "MOST_TEXT", 100)
    with pytest.raises(NotChecked, match="texts of more than 100"):
        asked(tmp_path, honest, p="|0>" + " \\/ |1>" * 20)


def test_what_cannot_be_read_is_quoted_on_one_line(tmp_path: Path, honest: Data) -> None:
    with pytest.raises(UsageError, match="the certificate says") as error:
        asked(tmp_path, honest, "AG (leaf ->\nHOLDS  safe: p")
    assert "\n" not in str(error.value)


def test_labels_that_contradict_each_other(tmp_path: Path, honest: Data) -> None:
    labels = [{"subspace": "|0>", "at": [0, 0], "holds": holds} for holds in (True, False)]
    with pytest.raises(Refused, match="contradict"):
        verified(tmp_path, {**honest, "labels": labels}, coin())


def test_labels_count_by_their_meaning(tmp_path: Path, honest: Data) -> None:
    """`| 0>` is written in many ways; a proposition of the name '|0>' is something else."""
    data = copy.deepcopy(honest)
    data["claims"] = [{"name": "it", "spec": "|0>", "verdict": "violated"}]
    data["specification"]["props"] = {"|0>": "|1>"}
    data["labels"] = [{"subspace": "'|0>'", "at": [0, 0], "holds": False}]
    with pytest.raises(Refused, match="labels that decide it are missing"):
        verified(tmp_path, data, coin())
    data["claims"][0]["verdict"] = "holds"
    data["labels"] = [{"subspace": " (|0>) ", "at": [0, 0], "holds": True}]
    assert verified(tmp_path, data, coin()).claims


def test_parts_of_propositions_are_work(
    tmp_path: Path, honest: Data, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`full /\\ full` needs no numbers; 2^14 of them at every location are many steps all the same."""
    doubled = {f"p{k}": f"p{k - 1} /\\ p{k - 1}" for k in range(1, 15)}
    data = copy.deepcopy(honest)
    data["specification"]["props"] = {"p0": "full", **doubled}
    data["labels"] = [{"subspace": "p14", "at": [0, 0], "holds": True}]
    assert verified(tmp_path, data, coin()).claims
    monkeypatch.setattr(vectors, "MOST_WORK", 1 << 14)
    with pytest.raises(NotChecked, match="more than 16384 steps"):
        verified(tmp_path, data, coin())
