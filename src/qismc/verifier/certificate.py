"""The certificate as it stands in its file; anything of another shape, or too large, is wrong input."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

from qismc.common.files import read_regular, reason_of
from qismc.errors import UsageError
from qismc.verifier.outcome import plain, quote

FORMAT = "qismc certificate 1"
MOST_BYTES = 1 << 24
"""Larger files are not read."""
LONGEST_TEXT = 1 << 16
"""Characters of a formula or a subspace."""
LONGEST_NAME = 200
BITS = re.compile(r"0x[0-9a-f]{1,1000000}", re.ASCII)
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
        content = read_regular(path, MOST_BYTES)
    except (OSError, ValueError) as error:
        raise UsageError(f"'{path}' cannot be read: {reason_of(error)}") from error
    return certificate_of(content, f"'{path}'")


def certificate_of(content: bytes, name: str) -> Certificate:
    """The certificate that a file with this content has; raises UsageError, which calls it by its name."""
    if len(content) > MOST_BYTES:
        raise UsageError(f"{name} is larger than {MOST_BYTES:,} bytes")
    try:
        data = json.loads(
            content.decode("utf-8"),
            object_pairs_hook=_without_duplicates,
            parse_constant=_no_number,
            parse_float=_no_number,
        )
    except RecursionError as error:
        raise UsageError(f"{name} is no certificate: it is nested too deeply") from error
    except ValueError as error:
        raise UsageError(f"{name} is no JSON: {plain(str(error))}") from error
    try:
        return _certificate(data)
    except (KeyError, IndexError, TypeError, ValueError) as error:
        reason = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        hint = "write one with `qismc check --certificate FILE`"
        raise UsageError(f"{name} is no certificate: {plain(reason)}", hint=hint) from error


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Readers differ in which of two equal keys counts."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {quote(key)} occurs twice")
        found[key] = value
    return found


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{plain(text[:LONGEST_NAME])} is no integer, and a certificate has no other numbers")


def _certificate(data: Any) -> Certificate:
    if data["format"] != FORMAT:
        raise ValueError(f"the format is {quote(data['format'])}, not {quote(FORMAT)}")
    specification = data["specification"]
    init = specification["init"]
    return Certificate(
        _of(str, data["program"]["fingerprint"]),
        None if init is None else _text(init),
        {_name(name): _text(text) for name, text in _of(dict, specification["props"]).items()},
        _of(str, specification["paths"]),
        tuple(_place(item) for item in _of(list, data["places"])),
        tuple(_label(item) for item in _of(list, data["labels"])),
        tuple(_claim(item) for item in _of(list, data["claims"])),
    )


def _of(kind: type[T], value: Any) -> T:
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise TypeError(f"{quote(value)} is no {kind.__name__}")
    return value


def _text(value: Any) -> str:
    """A formula or a subspace; blanks and line ends count as one blank."""
    if len(_of(str, value)) > LONGEST_TEXT:
        raise ValueError(f"a text has more than {LONGEST_TEXT} characters")
    if not " ".join(value.split()).isprintable():
        raise ValueError(f"{quote(value)} has characters that cannot be printed")
    return str(value)


def _name(value: Any) -> str:
    if len(_of(str, value)) > LONGEST_NAME:
        raise ValueError(f"a name has more than {LONGEST_NAME} characters")
    if not value.isprintable() or value != " ".join(value.split()) or not value:
        raise ValueError(f"{quote(value)} is no name")
    return str(value)


def _claim(item: Any) -> Claim:
    return Claim(_name(item["name"]), _text(item["spec"]), _of(str, item["verdict"]))


def _place(item: Any) -> Place:
    start, end = (_of(int, point) for point in _of(list, item["points"]))
    ways = tuple(None if way is None else _of(int, way) for way in _of(list, item["ways"]))
    vectors = tuple(_origin(vector) for vector in _of(list, item["vectors"]))
    return Place(start, end, _bits(item["store"]), _bits(item["live"]), vectors, ways)


def _bits(value: Any) -> int:
    if BITS.fullmatch(_of(str, value)) is None:
        raise ValueError(f"{quote(value)} are no bits")
    return int(value, 16)


def _origin(item: Any) -> Origin:
    if "start" in _of(dict, item):
        return Origin(_of(int, item["start"]))
    place, number = (_of(int, k) for k in _of(list, item["from"]))
    choices = tuple(_of(int, choice) for choice in _of(list, item["choices"]))
    return Origin(None, place, number, _of(int, item["way"]), choices)


def _label(item: Any) -> Label:
    place, point = (_of(int, k) for k in _of(list, item["at"]))
    return Label(_text(item["subspace"]), place, point, _of(bool, item["holds"]))
