"""Propositions of every kind at the locations of random programs, against the reference."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

import qismc
from qismc import Model, Verdict

from ..compare import agrees
from ..reference import Reference, join, meet, nothing, whole
from ..strategies import Proposition, Vectors, propositions, toys, vectors
from ..toy import Toy


@st.composite
def claims(draw: st.DrawFn) -> tuple[Toy, Proposition, Vectors | None]:
    """A program, a proposition (often one that holds at the end), perhaps an annotation at the end."""
    toy = draw(toys(size=4))
    claim = draw(propositions(toy.num_qubits))
    bound = draw(st.none() | vectors(toy.num_qubits, least=1, most=4))
    return toy, claim, bound


@settings(max_examples=40)
@given(case=claims(), wrap=st.booleans())
def test_holding_at_the_end(engine: str, case: tuple[Toy, Proposition, Vectors | None], wrap: bool) -> None:
    toy, claim, bound = case
    marked = {} if bound is None else {"leaf": bound}
    reference = Reference(toy, None, {name: v.space for name, v in marked.items()})
    text, space = claim.text, claim.space
    if wrap:  # a claim that sp satisfies, by its definition
        text, space = f"(sp(leaf) \\/ {text})", join(reference.at("leaf"), space)
    ends = [place for place in reference.system if "leaf" in reference.names(place)]
    result = qismc.check(
        toy.circuit(),
        {"all": f"AG (leaf -> {text})", "some": f"EF (leaf & {text})"},
        annotations={name: v.text for name, v in marked.items()},
        numbers=engine,
        keep_dead=True,
    )
    holds = [reference.holds(place, space) for place in ends]
    assert result["all"].verdict is (Verdict.HOLDS if all(holds) else Verdict.VIOLATED)
    assert result["some"].verdict is (Verdict.HOLDS if any(holds) else Verdict.VIOLATED)


@given(claim=st.integers(1, 3).flatmap(propositions))
def test_annotations_of_every_kind(engine: str, claim: Proposition) -> None:
    """An annotation at the start of an empty program is sp there (joined with init), and wp."""
    width = len(claim.space).bit_length() - 1
    toy = Toy(width, 1, ())
    model = Model(toy.circuit(), annotations={"leaf": claim.text}, numbers=engine)
    zeros = Reference(toy).sp[(0,), 0]
    assert agrees(model.sp("leaf"), join(zeros, claim.space, nothing(2**width)))
    assert agrees(model.wp("leaf"), meet(claim.space, whole(2**width)))
