"""Files that are no certificates, or that hide something, are wrong input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from qismc import QuantumCircuit
from qismc.errors import UsageError
from qismc.verifier import certificate
from qismc.verifier.certificate import read_certificate

from .programs import certified

Data = dict[str, Any]


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Data:
    circuit = QuantumCircuit(1, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    return certified(tmp_path_factory.mktemp("honest"), circuit, "AG (leaf -> p)", props={"p": "|0>"})[1]


def refused(path: Path, text: str | bytes, reason: str) -> None:
    file = path / "certificate.json"
    file.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    with pytest.raises(UsageError, match=reason) as error:
        read_certificate(str(file))
    assert str(error.value).isascii() and str(error.value).isprintable()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"\xff\xfe", "no JSON"),
        ("[" * 100_000, "nested too deeply"),
        ('{"format": "qismc certificate 1", "format": "qismc certificate 1"}', "'format' occurs twice"),
        ('{"format": NaN}', "NaN is no integer"),
        ('{"format": 1.5}', "1.5 is no integer"),
        (f'{{"format": {"9" * 5000}}}', "no JSON"),
        ('{"format": "\\ud800\\u001b[2K"}', "the format is"),
        ("7", "no certificate"),
    ],
)
def test_other_files(tmp_path: Path, text: str | bytes, reason: str) -> None:
    refused(tmp_path, text, reason)


def test_large_files_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificate, "MOST_BYTES", 100)
    refused(tmp_path, "[" + " " * 100 + "]", "larger than 100 bytes")
    with pytest.raises(UsageError, match="no regular file"):
        read_certificate("/dev/zero")


@pytest.mark.parametrize("name", ["", "a\nHOLDS  safe: AG p", "\x1b[2K", "a  b", " a", "a\u202eb", "x" * 201])
def test_names_are_short_and_on_one_line(tmp_path: Path, honest: Data, name: str) -> None:
    claims = [{**honest["claims"][0], "name": name}]
    refused(tmp_path, json.dumps({**honest, "claims": claims}), "name")
    specification = {**honest["specification"], "props": {name: "|0>"}}
    refused(tmp_path, json.dumps({**honest, "specification": specification}), "name")


@pytest.mark.parametrize("text", ["AG \x1b[31mp", "AG p \x00", "AG \ud800", "AG p " * 20_000])
def test_texts_are_bounded_and_printable(tmp_path: Path, honest: Data, text: str) -> None:
    claims = [{**honest["claims"][0], "spec": text}]
    refused(tmp_path, json.dumps({**honest, "claims": claims}), "characters")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("store", "-0x1"),
        ("store", " 0x0"),
        ("store", "0x1_0"),
        ("live", "٣"),
        ("live", 0),
        ("points", {"0": 0, "1": 1}),
        ("points", [False, 1]),
        ("points", [0, 1, 2]),
        ("ways", "0"),
        ("ways", [True]),
        ("vectors", [{"start": True}]),
        ("vectors", ["start"]),
        ("vectors", [{"from": [0], "way": 0, "choices": []}]),
    ],
)
def test_values_of_other_kinds(tmp_path: Path, honest: Data, key: str, value: object) -> None:
    places = [{**honest["places"][0], key: value}, *honest["places"][1:]]
    refused(tmp_path, json.dumps({**honest, "places": places}), "no certificate")
