"""Ways to change a certificate, as somebody would who wants a false claim to be accepted."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from .cases import KETS, Case, Data, formula, subspace
from .labels import labelled

Change = Callable[[Data, Random, list[Case]], None]
ODD = (0, 1, -1, 2, 3, 1 << 63, 10**30, True, False, None, 0.0, 1.5, "0x1", "", "leaf", [], {}, [0, 0])
NAMES = ("p", "r", "all zero", "leaf", "l0", "c", "A", "any", "zero", "x\nHOLDS  f0: AG p", "\x1b[2K", "")
STARTS = ("zero", "p", "'all zero'", "sp(leaf)", "|00> \\/ zero", "~zero", "full", "|00> on q", "any on q")


def forged(case: Case, others: list[Case], random: Random) -> Data:
    """A changed certificate, mostly with labels that are right for it."""
    data = copy.deepcopy(case.data)
    for change in random.choices(CHANGES, k=random.choice([1, 1, 2, 3])):
        try:
            change(data, random, others)
        except (KeyError, IndexError, TypeError, AttributeError, ValueError):
            continue  # an earlier change left nothing to change
    if random.random() < 0.7:
        labelled(data, case.program)
    return data


def damaged(text: str, random: Random) -> str:
    """The text with some characters changed, left out or repeated."""
    start = random.randrange(len(text))
    end = start + random.randrange(30)
    return random.choice(
        [
            text[:start],
            text[:start] + text[end:],
            text[:end] + text[start:],
            text[:start] + random.choice('{}[]",:0123456789e.-\\\x00\ud7ff') + text[start + 1 :],
            text.replace('"claims"', '"claims": [], "claims"'),
        ]
    )


# --- claims ------------------------------------------------------------------------------------------------


def flip(data: Data, random: Random, _: list[Case]) -> None:
    claim = random.choice(data["claims"])
    claim["verdict"] = "violated" if claim["verdict"] == "holds" else "holds"


def ask(data: Data, random: Random, _: list[Case]) -> None:
    """Another formula, with either verdict."""
    names = tuple(data["specification"]["props"])
    spec = formula(random, names, random.randint(1, 3))
    claim = {"name": "new", "spec": spec, "verdict": random.choice(["holds", "violated"])}
    data["claims"] = random.choice([[claim], [*data["claims"], claim], [claim] * 2, []])


def swap_claims(data: Data, random: Random, _: list[Case]) -> None:
    first, second = random.sample(data["claims"], 2)
    key = random.choice(["verdict", "spec", "name"])
    first[key], second[key] = second[key], first[key]


def rename_claim(data: Data, random: Random, _: list[Case]) -> None:
    random.choice(data["claims"])["name"] = random.choice(NAMES)


# --- the specification -------------------------------------------------------------------------------------


def restart(data: Data, random: Random, _: list[Case]) -> None:
    data["specification"]["init"] = random.choice([None, random.choice(KETS), random.choice(STARTS)])


def redefine(data: Data, random: Random, _: list[Case]) -> None:
    props = data["specification"]["props"]
    name = random.choice([*props, *NAMES])
    props[name] = random.choice([subspace(random, tuple(props), 1), name, "zero", "full", f"'{name}'"])


def repath(data: Data, random: Random, _: list[Case]) -> None:
    data["specification"]["paths"] = random.choice(["all", "feasible", "some"])


# --- the system --------------------------------------------------------------------------------------------


def label(data: Data, random: Random, _: list[Case]) -> None:
    one = random.choice(data["labels"])
    key = random.choice(list(one))
    one[key] = random.choice(data["labels"])[key] if random.random() < 0.5 else not one[key]


def unlabel(data: Data, random: Random, _: list[Case]) -> None:
    data["labels"].remove(random.choice(data["labels"]))


def way(data: Data, random: Random, _: list[Case]) -> None:
    ways = random.choice(data["places"])["ways"]
    ways[random.randrange(len(ways))] = random.choice([None, random.randrange(len(data["places"]))])


def forget(data: Data, random: Random, _: list[Case]) -> None:
    """A bit less is remembered: at one place, or everywhere."""
    bit = 1 << random.randrange(2)
    for place in data["places"] if random.random() < 0.5 else [random.choice(data["places"])]:
        place["live"] = hex(int(place["live"], 16) & ~bit)
        place["store"] = hex(int(place["store"], 16) & ~bit)


def merge(data: Data, random: Random, _: list[Case]) -> None:
    """Places that differ in one bit become one; vectors that were at any of them are at it."""
    bit = 1 << random.randrange(2)
    forget(data, random, [])
    kept: dict[str, int] = {}
    numbers = []
    for place in data["places"]:
        place["live"] = hex(int(place["live"], 16) & ~bit)
        place["store"] = hex(int(place["store"], 16) & ~bit)
        numbers.append(kept.setdefault(json.dumps([place["points"], place["store"]]), len(kept)))
    _renumber(data, numbers)


def _renumber(data: Data, numbers: list[int]) -> None:
    places: dict[int, Data] = {}
    offsets: list[int] = []
    for number, place in zip(numbers, data["places"], strict=True):
        first = places.setdefault(number, {**place, "vectors": []})
        offsets.append(len(first["vectors"]))
        first["vectors"] += place["vectors"]
    for place in places.values():
        place["ways"] = [None if target is None else numbers[target] for target in place["ways"]]
        for vector in place["vectors"]:
            if "from" in vector:
                origin, k = vector["from"]
                vector["from"] = [numbers[origin], offsets[origin] + k]
    data["places"] = [places[k] for k in range(len(places))]


def cut(data: Data, random: Random, _: list[Case]) -> None:
    """A run of points becomes two."""
    number = random.randrange(len(data["places"]))
    place = data["places"][number]
    start, end = place["points"]
    middle = random.randrange(start + 1, end)
    rest = {**copy.deepcopy(place), "points": [middle, end]}
    rest["vectors"] = [{"from": [number, k], "way": 0, "choices": []} for k in range(len(place["vectors"]))]
    new = len(data["places"])
    for other in data["places"]:
        for vector in other["vectors"]:
            if vector.get("from", [None])[0] == number:
                vector["from"][0] = new
    place["points"], place["ways"] = [start, middle], [new]
    data["places"].append(rest)


def vector(data: Data, random: Random, _: list[Case]) -> None:
    vectors = random.choice(data["places"])["vectors"]
    other = random.choice(random.choice(data["places"])["vectors"])
    random.choice([vectors.pop, vectors.clear, lambda: vectors.append(other)])()


def split(data: Data, random: Random, _: list[Case]) -> None:
    """A place twice, its vectors shared out."""
    place = random.choice([place for place in data["places"] if len(place["vectors"]) > 1])
    twin = copy.deepcopy(place)
    twin["vectors"] = [place["vectors"].pop()]
    twin["live"] = hex(int(twin["live"], 16) ^ random.randrange(8))
    data["places"].append(twin)
    source = twin["vectors"][0]["from"][0]
    data["places"][source]["ways"][twin["vectors"][0]["way"]] = len(data["places"]) - 1


# --- anything ----------------------------------------------------------------------------------------------


def splice(data: Data, random: Random, others: list[Case]) -> None:
    """A part of the certificate of another program."""
    key = random.choice(["claims", "specification", "places", "labels", "program"])
    data[key] = copy.deepcopy(random.choice(others).data[key])


def replay(data: Data, random: Random, others: list[Case]) -> None:
    """All of another certificate, under this program's fingerprint."""
    program = data["program"]
    data.update(copy.deepcopy(random.choice(others).data))
    data["program"] = program


def odd(data: Data, random: Random, _: list[Case]) -> None:
    """Some value becomes another one."""
    holder, key = random.choice(list(_inside(data)))
    holder[key] = random.choice(ODD) if random.random() < 0.5 else _near(holder[key], random)


def _near(value: Any, random: Random) -> Any:
    if isinstance(value, int):
        return value + random.choice([-1, 1])
    return value[: random.randrange(len(value) + 1)] if isinstance(value, str | list) else value


def key(data: Data, random: Random, _: list[Case]) -> None:
    """A key goes, or has another name."""
    holder, name = random.choice([(h, k) for h, k in _inside(data) if isinstance(h, dict)])
    value = holder.pop(name)
    if random.random() < 0.5:
        holder[random.choice([f"{name}s", name.upper(), "start", "name", ""])] = value


def _inside(part: Any) -> Iterator[tuple[Any, Any]]:
    items = list(part.items() if isinstance(part, dict) else enumerate(part))
    for name, value in items:
        yield part, name
        if isinstance(value, dict | list):
            yield from _inside(value)


CHANGES: list[Change] = [
    *[flip, ask, ask, ask, swap_claims, rename_claim, restart, redefine, repath],
    *[label, unlabel, way, forget, merge, cut, vector, split, splice, replay, odd, key],
]
