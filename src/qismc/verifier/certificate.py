"""The certificate as it stands in its file; anything of another shape is wrong input."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from qismc.common.wording import quoted
from qismc.errors import UsageError

FORMAT = "qismc certificate 1"
T = TypeVar("T")


@dataclass(frozen=True)
class Origin:
    """How a vector came about: number `start` of the start's kets, or the image of another vector."""

    start: int | None
    place: int = 0
    number: int = 0
    way: int = 0
    choices: tuple[int, ...] = ()


@dataclass(frozen=True)
class Place:
    """A run of points start <= p < end with one store, of which the bits outside `live` are forgotten."""

    start: int
    end: int
    store: int
    live: int
    vectors: tuple[Origin, ...]
    ways: tuple[int | None, ...]
    """Where each way out leads; None: it is impossible."""


@dataclass(frozen=True)
class Label:
    """The truth of a subspace at a point of a place."""

    subspace: str
    place: int
    point: int
    holds: bool


@dataclass(frozen=True)
class Claim:
    """A formula and the verdict on it."""

    name: str
    spec: str
    verdict: str


@dataclass(frozen=True)
class Certificate:
    """Everything that a certificate says."""

    fingerprint: str
    init: str | None
    props: dict[str, str]
    paths: str
    places: tuple[Place, ...]
    labels: tuple[Label, ...]
    claims: tuple[Claim, ...]


def read_certificate(path: str) -> Certificate:
    """The certificate of a file; raises UsageError."""
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"'{path}' cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise UsageError(f"'{path}' is no JSON: {error}") from error
    try:
        return _certificate(data)
    except (KeyError, IndexError, TypeError, ValueError) as error:
        hint = "write one with `qismc check --certificate FILE`"
        raise UsageError(f"'{path}' is no certificate: {quoted(error)}", hint=hint) from error


def _certificate(data: Any) -> Certificate:
    if data["format"] != FORMAT:
        raise ValueError(f"the format is {data['format']!r}, not {quoted(FORMAT)}")
    specification = data["specification"]
    init = specification["init"]
    return Certificate(
        _of(str, data["program"]["fingerprint"]),
        None if init is None else _of(str, init),
        {_of(str, name): _of(str, text) for name, text in _of(dict, specification["props"]).items()},
        _of(str, specification["paths"]),
        tuple(_place(item) for item in data["places"]),
        tuple(_label(item) for item in data["labels"]),
        tuple(
            Claim(*(_of(str, item[key]) for key in ("name", "spec", "verdict"))) for item in data["claims"]
        ),
    )


def _of(kind: type[T], value: Any) -> T:
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise TypeError(f"{quoted(value)} is no {kind.__name__}")
    return value


def _place(item: Any) -> Place:
    start, end = (_of(int, point) for point in item["points"])
    ways = tuple(None if way is None else _of(int, way) for way in item["ways"])
    vectors = tuple(_origin(vector) for vector in item["vectors"])
    return Place(start, end, int(item["store"], 16), int(item["live"], 16), vectors, ways)


def _origin(item: Any) -> Origin:
    if "start" in item:
        return Origin(_of(int, item["start"]))
    place, number = (_of(int, k) for k in item["from"])
    choices = tuple(_of(int, choice) for choice in item["choices"])
    return Origin(None, place, number, _of(int, item["way"]), choices)


def _label(item: Any) -> Label:
    place, point = (_of(int, k) for k in item["at"])
    return Label(_of(str, item["subspace"]), place, point, _of(bool, item["holds"]))
