"""Honest certificates are accepted, doctored ones are refused with a reason."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import qismc
from qismc import QuantumCircuit, Verdict
from qismc.program import read_program
from qismc.verifier import NotChecked, Refused, verify
from qismc.verifier.certificate import read_certificate

from .programs import TARGET, attempts, certified, random_program, verified
from .test_steps import CLASSICAL

SPECS = {
    "target": "AG (leaf -> target)",
    "plane": "AG (leaf -> plane)",
    "ends": "AF leaf",
    "may": "EF leaf",
    "tried": "AG (tried -> stab(ZZI) | c == 1)",
    "mark": "EF (tried & !|001>)",
    "next": "AG (tried -> AX !tried)",
    "bits": "AG (leaf -> c == 0)",
    "until": "A[!leaf W c == 0]",
    "not": "AG (leaf -> ~|000>)",
    "part": "AG (leaf -> |1> on q[2])",
    "sp": "AG (leaf -> sp(leaf))",
}
PROPS = {"target": TARGET, "plane": "|001> \\/ |011>"}
Data = dict[str, Any]


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Data:
    result, data = certified(tmp_path_factory.mktemp("honest"), attempts(), SPECS, props=PROPS)
    assert {r.verdict for r in result} == {Verdict.HOLDS, Verdict.VIOLATED}
    return data


def test_an_honest_one_is_accepted(tmp_path: Path, honest: Data) -> None:
    accepted = verified(tmp_path, honest, attempts())
    assert [claim.name for claim in accepted.claims] == list(SPECS)
    assert 0 < accepted.error_bound < 2.0**-100
    assert accepted.vectors == sum(len(place["vectors"]) for place in honest["places"])


@pytest.mark.parametrize("seed", range(25))
def test_random_programs(tmp_path: Path, seed: int) -> None:
    specs = {
        "a": "AG (leaf -> |000> \\/ (|001> + |110>))",
        "b": "AG (leaf -> |0> on q[0])",
        "c": "EF (c == 2 & leaf)",
        "d": "E[c == 0 U (leaf & ~|111>)]",
        "e": "AG (leaf -> stab(ZI, IZ) on q[1], q[2] | c[0])",
    }
    if "here" in read_program(random_program(seed)).marks:
        specs |= {"f": "EF here", "g": "AG (here -> |0> on q[1])", "h": "AG (leaf -> sp(here) | c == 1)"}
    for paths in ("feasible", "all"):
        _, data = certified(tmp_path, random_program(seed), specs, paths=paths)
        verified(tmp_path, data, random_program(seed))


def test_classical_programs(tmp_path: Path) -> None:
    path = tmp_path / "classical.qasm"
    path.write_text(CLASSICAL, encoding="utf-8")
    specs = ["AG (leaf -> u == 0 | c[0])", "AF leaf", "EF (leaf & |1>)"]
    file = tmp_path / "certificate.json"
    qismc.check(str(path), specs, certificate=file)
    accepted = verify(read_certificate(str(file)), read_program(str(path)))
    assert len(accepted.claims) == 3


def test_starts_of_several_kets(tmp_path: Path) -> None:
    for init in ("|01>", "span(|00>, |11>)", "|0+> \\/ |1->", "start"):
        circuit = QuantumCircuit(2)
        circuit.h(0)
        props = {"start": "span(|00> + |11>, |01>)"}
        _, data = certified(tmp_path, circuit, f"AG (init -> {init})", init=init, props=props)
        verified(tmp_path, data, circuit)
        data["specification"]["init"] = "|10>"
        with pytest.raises(Refused):
            verified(tmp_path, data, circuit)


def test_forgotten_bits(tmp_path: Path) -> None:
    """Five measured bits that nobody reads are one place at the end; a formula about them minds."""
    circuit = QuantumCircuit(5, 5)
    for qubit in range(5):
        circuit.h(qubit)
        circuit.measure(qubit, qubit)
    _, data = certified(tmp_path, circuit, "AG (leaf -> full)")
    assert len(data["places"]) < 10
    verified(tmp_path, data, circuit)
    for spec, reason in (
        ("AG !(leaf & |00000>)", "shape"),
        ("EF (leaf & c == 3)", "of which a formula speaks"),
    ):
        data["claims"][0] |= {"spec": spec, "verdict": "holds"}
        with pytest.raises(Refused, match=reason):
            verified(tmp_path, data, circuit)


# --- doctored ----------------------------------------------------------------------------------------------


def flip_verdict(data: Data) -> None:
    claim = next(c for c in data["claims"] if c["name"] == "target")
    claim["verdict"] = "holds" if claim["verdict"] == "violated" else "violated"


def flip_label(data: Data) -> None:
    data["labels"][0]["holds"] = not data["labels"][0]["holds"]


def flip_label_and_verdict(data: Data) -> None:
    flip_verdict(data)
    for label in data["labels"]:
        label["holds"] = True


def drop_labels(data: Data) -> None:
    data["labels"].clear()


def drop_vector(data: Data) -> None:
    """At the leaf, from which no other vector comes."""
    next(p for k, p in enumerate(data["places"]) if k in p["ways"])["vectors"].pop()


def drop_parent(data: Data) -> None:
    data["places"][1]["vectors"].pop()


def drop_used_edge(data: Data) -> None:
    place = next(p for p in data["places"] if len(p["ways"]) == 2 and None not in p["ways"])
    place["ways"][1] = None


def add_edge(data: Data) -> None:
    place = next(p for p in data["places"] if None in p["ways"])
    way = place["ways"].index(None)
    others = [k for k, p in enumerate(data["places"]) if p["points"] == data["places"][1]["points"]]
    place["ways"][way] = others[-1]


def bend_edge(data: Data) -> None:
    data["places"][1]["ways"][0] = 0


def bend_edge_nowhere(data: Data) -> None:
    data["places"][1]["ways"][0] = 99


def change_choice(data: Data) -> None:
    data["places"][1]["vectors"][0]["choices"] = [1]


def come_from_itself(data: Data) -> None:
    place = next(k for k, p in enumerate(data["places"]) if k in p["ways"])
    data["places"][place]["vectors"][0] = {
        "from": [place, 0],
        "way": data["places"][place]["ways"].index(place),
        "choices": [],
    }


def start_anywhere(data: Data) -> None:
    data["places"][1]["vectors"][0] = {"start": 0}


def start_beyond(data: Data) -> None:
    data["places"][0]["vectors"][0] = {"start": 1}


def keep_twice(data: Data) -> None:
    data["places"][0]["vectors"].append({"start": 0})


def change_formula(data: Data) -> None:
    claim = next(c for c in data["claims"] if c["name"] == "plane")
    claim["spec"] = "AG (leaf -> |001>)"


def change_proposition(data: Data) -> None:
    data["specification"]["props"]["plane"] = "|001>"


def change_start(data: Data) -> None:
    data["specification"]["init"] = "|111>"


def all_paths(data: Data) -> None:
    data["specification"]["paths"] = "all"


def other_paths(data: Data) -> None:
    data["specification"]["paths"] = "some"


def other_store(data: Data) -> None:
    data["places"][0]["store"] = "0x1"


def forget_read_bit(data: Data) -> None:
    for place in data["places"]:
        place["live"] = "0x0"
        place["store"] = "0x0"


def longer_run(data: Data) -> None:
    data["places"][0]["points"][1] += 1


def points_beyond(data: Data) -> None:
    data["places"][-1]["points"][1] = 99


def twice_a_place(data: Data) -> None:
    data["places"].append(data["places"][0])


def nowhere_label(data: Data) -> None:
    data["labels"][0]["at"] = [0, 77]


def other_fingerprint(data: Data) -> None:
    data["program"]["fingerprint"] = "0" * 32


def no_places(data: Data) -> None:
    data["places"].clear()


def strange_verdict(data: Data) -> None:
    data["claims"][0]["verdict"] = "unknown"


DOCTORS: list[tuple[Callable[[Data], None], str]] = [
    (flip_verdict, "the opposite is so"),
    (flip_label, "it is not so"),
    (flip_label_and_verdict, "it is not so"),
    (drop_labels, "labels that decide it are missing"),
    (drop_vector, "is outside"),
    (drop_parent, "edge that leads elsewhere|comes from nowhere"),
    (drop_used_edge, "edge that leads elsewhere"),
    (add_edge, "carries no state|goes elsewhere"),
    (bend_edge, "goes elsewhere"),
    (bend_edge_nowhere, "leads nowhere"),
    (change_choice, "operators that point"),
    (come_from_itself, "comes from itself"),
    (start_anywhere, "is no start"),
    (start_beyond, "is no start"),
    (keep_twice, "depend on each other"),
    (change_formula, "labels that decide it are missing"),
    (change_proposition, "it is not so"),
    (change_start, "."),
    (all_paths, "left out"),
    (other_paths, "unknown"),
    (other_store, "another store"),
    (forget_read_bit, "forgot a bit|twice"),
    (longer_run, "straight run|elsewhere"),
    (points_beyond, "points that the program has not"),
    (twice_a_place, "twice"),
    (nowhere_label, "no location"),
    (other_fingerprint, "another program"),
    (no_places, "not the start"),
    (strange_verdict, "no verdict"),
]


@pytest.mark.parametrize(("doctor", "reason"), DOCTORS, ids=lambda part: getattr(part, "__name__", ""))
def test_doctored_ones_are_refused(
    tmp_path: Path, honest: Data, doctor: Callable[[Data], None], reason: str
) -> None:
    data = copy.deepcopy(honest)
    doctor(data)
    assert data != honest
    with pytest.raises(Refused, match=reason):
        verified(tmp_path, data, attempts())


def test_an_edge_without_news_may_not_be_left_out(tmp_path: Path) -> None:
    """The second toss brings what the first one brought; without its edge `AF leaf` would hold."""
    circuit = QuantumCircuit(1, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    with circuit.while_loop((circuit.clbits[0], 1)):
        circuit.h(0)
        circuit.measure(0, 0)
    _, data = certified(tmp_path, circuit, "AF leaf")
    used = {(v["from"][0], v["way"]) for p in data["places"] for v in p["vectors"] if "from" in v}
    toss = data["places"].index(next(p for p in reversed(data["places"]) if len(p["ways"]) == 2))
    assert (toss, 1) not in used
    data["places"][toss]["ways"][1] = None
    data["claims"][0]["verdict"] = "holds"
    with pytest.raises(Refused, match="an impossible outcome is possible"):
        verified(tmp_path, data, circuit)


def test_another_program_is_refused(tmp_path: Path, honest: Data) -> None:
    other = attempts()
    other.x(0)
    with pytest.raises(Refused, match="another program"):
        verified(tmp_path, honest, other)
    data = copy.deepcopy(honest)
    _, made = certified(tmp_path, other, "AF leaf")
    data["program"] = made["program"]
    with pytest.raises(Refused):
        verified(tmp_path, data, other)


def test_the_files_primes_are_not_trusted(tmp_path: Path, honest: Data) -> None:
    """|0> + p |1> for a prime p of the file: whatever label says so is refused."""
    circuit = QuantumCircuit(1)
    circuit.id(0)
    _, data = certified(tmp_path, circuit, "AG |0>")
    prime = data["primes"][0]
    planted = f"|0> + {prime} |1>"
    data["claims"][0]["spec"] = f"AG ({planted})"
    for label in data["labels"]:
        label["subspace"] = planted
    with pytest.raises(Refused, match="it is not so"):
        verified(tmp_path, data, circuit)
    del honest


@pytest.mark.parametrize(
    ("spec", "what"),
    [
        ("P>=1/2 [F leaf]", "thresholds"),
        ("AG (leaf -> ~stab(ZII))", "orthocomplement"),
        ("AG (leaf -> (|000> \\/ stab(ZII)))", "kets"),
        ("AG l3", "l3"),
    ],
)
def test_what_is_not_checked_is_said(tmp_path: Path, honest: Data, spec: str, what: str) -> None:
    data = copy.deepcopy(honest)
    data["claims"] = [{"name": "new", "spec": spec, "verdict": "holds"}]
    text = spec.removeprefix("AG (leaf -> ").removesuffix(")")
    data["labels"] = [{"subspace": text, "at": [0, 0], "holds": True}] if "leaf ->" in spec else []
    with pytest.raises(NotChecked, match=what):
        verified(tmp_path, data, attempts())


def test_on_inside_another_on_is_refused(tmp_path: Path, honest: Data) -> None:
    data = copy.deepcopy(honest)
    data["claims"] = [{"name": "new", "spec": "AG (true | (|0> on q[0]) on q[1])", "verdict": "holds"}]
    with pytest.raises(Refused, match="inside another 'on'"):
        verified(tmp_path, data, attempts())


SPLIT = """OPENQASM 3.0;
include "stdgates.inc";
qubit q; bit c;
h q;
c = measure q;
if (c) {
  c = 0;
  z q;
}
//@ mark M
y q;
"""


def test_one_location_is_not_two(tmp_path: Path) -> None:
    """|0> and |1> arrive at M with one store; runs that overlap there would keep the states apart."""
    path, file = tmp_path / "split.qasm", tmp_path / "certificate.json"
    path.write_text(SPLIT, encoding="utf-8")
    assert not qismc.check(str(path), "AG (M -> (|0> | |1>))", certificate=file, keep_dead=True)
    data = json.loads(file.read_text(encoding="utf-8"))
    places = data["places"]
    joined = next(
        k for k, place in enumerate(places) if len(place["vectors"]) == 2 and k not in place["ways"]
    )
    (end,), point = places[joined]["ways"], places[joined]["points"][0]
    other = places[joined]["vectors"].pop()["from"][0]
    places[other]["points"][1], places[other]["ways"] = point + 1, [end]
    places[end]["vectors"] = [{"from": [k, 0], "way": 0, "choices": []} for k in (joined, other)]
    data["labels"] = [
        {"subspace": ket, "at": [place, point], "holds": True}
        for ket, place in (("|0>", joined), ("|1>", other))
    ]
    data["claims"][0]["verdict"] = "holds"
    file.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(Refused, match="a location occurs twice"):
        verify(read_certificate(str(file)), read_program(str(path)))


@pytest.mark.parametrize("name", ["c", "loop", "tried", "l3"])
def test_names_of_the_program_are_no_propositions(tmp_path: Path, honest: Data, name: str) -> None:
    data = copy.deepcopy(honest)
    data["specification"]["props"][name] = "full"
    with pytest.raises(Refused, match="means something else"):
        verified(tmp_path, data, attempts())


def test_no_start_is_left_out(tmp_path: Path) -> None:
    program = QuantumCircuit(1)
    program.z(0)
    _, data = certified(tmp_path, program, {"zero": "AG (leaf -> |0>)"}, init="span(|0>, |1>)")
    for place in data["places"]:
        place["vectors"] = place["vectors"][:1]
    data["claims"][0]["verdict"] = "holds"
    for label in data["labels"]:
        label["holds"] = True
    with pytest.raises(Refused, match="a start is outside"):
        verified(tmp_path, data, program)
