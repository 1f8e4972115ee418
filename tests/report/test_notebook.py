"""Notebook fragments: well-formed, escaped, scoped."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser

from qismc import Limits, Model, QuantumCircuit, check
from qismc.demo import TARGET, repeat_until_success

from .programs import long_program, violated

VOID = {"br", "meta", "link", "input"}


class Tags(HTMLParser):
    """Checks that every element is closed in order; collects the text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.words = ""
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, _: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, _: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1] != "style":
            self.words += data


def test_a_result_shows_verdicts_and_the_execution() -> None:
    page = Tags(violated()._repr_html_())
    assert page.seen[0] == "div"
    assert "VIOLATED" in page.words
    assert "HOLDS" in page.words
    assert "measure q[0] -> c[0] = 1" in page.words
    assert "script" not in page.seen


def test_an_execution_shows_every_step() -> None:
    execution = violated().counterexample
    assert execution is not None
    assert Tags(execution._repr_html_()).seen.count("tr") == len(execution.steps) + 1


def test_long_executions_are_cut_in_the_middle() -> None:
    execution = check(long_program(40), "AG !leaf").counterexample
    assert execution is not None
    page = Tags(execution._repr_html_())
    assert page.seen.count("tr") == 62
    assert f"… {len(execution.steps) - 60} more steps …" in page.words


def test_user_text_is_escaped() -> None:
    execution = violated().counterexample
    assert execution is not None
    bad = "<img src=x onerror=alert(1)>"
    step = replace(execution.steps[0], statement=bad, labels=(bad,), store={bad: 1})
    page = Tags(replace(execution, steps=(step,), claim=bad)._repr_html_())
    assert "img" not in page.seen
    assert page.words.count(bad) == 4


def test_a_model_shows_its_picture() -> None:
    page = Tags(Model(repeat_until_success(reset_ancilla=True))._repr_html_())
    assert "svg" in page.seen
    assert "14 locations" in page.words


def test_a_large_model_shows_its_sizes_only() -> None:
    page = Tags(Model(long_program(60))._repr_html_())
    assert "svg" not in page.seen
    assert "too large" in page.words


def test_an_unsolved_model_says_why() -> None:
    circuit = QuantumCircuit(1)
    circuit.h(0)
    assert "limit" in Tags(Model(circuit, limits=Limits(seconds=1e-9))._repr_html_()).words


def test_every_style_rule_is_scoped() -> None:
    style = violated()._repr_html_().split("<style>")[1].split("</style>")[0]
    selectors = [rule.split("{")[0] for rule in style.replace("\n", "").split("}") if rule.strip()]
    assert all(part.startswith(".qismc") for selector in selectors for part in selector.split(","))


def test_hints_are_listed() -> None:
    circuit = repeat_until_success(reset_ancilla=False)
    result = check(circuit, "AG (leaf -> target)", props={"target": TARGET})
    assert result.counterexample is not None
    assert "<li>step 11: at the second visit" in result.counterexample._repr_html_()
