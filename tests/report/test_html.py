"""The page as a file, and in a real browser: steps, highlights, keys, colours, size."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from qismc import QuantumCircuit, Result, check
from qismc.cli import main
from qismc.demo import repeat_until_success
from qismc.report.wording import POINTING

from .browser import launched, opened, settle
from .programs import violated

EVIL = '<!--<script </script><script>window.evil = 1</script><img src=x onerror="window.evil = 1">'


def embedded(page: str) -> Any:
    """The data of a page; no mark-up may stand inside."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    assert found is not None
    assert "<" not in found[1]
    return json.loads(found[1])


@pytest.fixture(scope="module")
def result() -> Result:
    return violated()


@pytest.fixture(scope="module")
def file(result: Result, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("html") / "report.html"
    result.to_html(path)
    return path


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with launched() as found:
        yield found


# --- the file ----------------------------------------------------------------------------------------------


def test_the_file_needs_nothing_else(file: Path) -> None:
    page = file.read_text(encoding="utf-8")
    assert set(re.findall(r"https?://[^\s\"'`)]+", page)) == {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in page


def test_user_text_cannot_leave_the_data(result: Result) -> None:
    page = replace(result, program=replace(result.program, name=EVIL), warnings=(EVIL,)).to_html()
    assert EVIL not in page
    assert embedded(page)["program"] == EVIL
    assert embedded(page)["warnings"][0] == EVIL


def test_check_writes_the_page(tmp_path: Path) -> None:
    program, target = tmp_path / "p.qasm", tmp_path / "out.html"
    program.write_text('OPENQASM 2.0; include "qelib1.inc"; qreg q[1]; h q[0];')
    arguments = ["check", str(program), "--spec", "AG |0>", "--quiet", "--html", str(target)]
    assert CliRunner().invoke(main, arguments).exit_code == 1
    assert embedded(target.read_text(encoding="utf-8"))["verdict"] == "violated"


def test_a_file_that_cannot_be_written_is_an_input_error(tmp_path: Path) -> None:
    program = tmp_path / "p.qasm"
    program.write_text('OPENQASM 2.0; include "qelib1.inc"; qreg q[1]; h q[0];')
    arguments = ["check", str(program), "--spec", "AG |0>", "--html", str(tmp_path / "no" / "where.html")]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 2
    assert "cannot be written" in done.output


# --- the page in a browser ---------------------------------------------------------------------------------


def shown_step(page: Any) -> str:
    return str(page.inner_text("#inspector-title"))


def test_every_step_shows_its_line_and_its_state(browser: Any, file: Path, result: Result) -> None:
    execution = result["correct"].counterexample
    assert execution is not None
    with opened(browser, file) as page:
        page.click("#first")
        for number, step in enumerate(execution.steps):
            settle(page)
            assert shown_step(page) == f"Step {number}"
            assert page.inner_text("#where .statement") == step.statement
            assert page.locator("#state tr").count() == len(step.terms or ())
            assert page.locator("#graph .here").count() == 1
            rows = page.locator("#listing .row.now .number")
            assert rows.all_inner_texts() == ([str(step.source.line)] if step.source else [])
            page.click("#next", force=True)
        assert page.is_disabled("#next")


def test_keys_step_forwards_and_backwards(browser: Any, file: Path) -> None:
    with opened(browser, file) as page:
        page.click("#first")
        page.focus("#stepper")
        for key, number in [("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", 21), ("Home", 0)]:
            page.keyboard.press(key)
            assert shown_step(page) == f"Step {number}"
        assert page.inner_text("#announce").startswith("Step 0: x q[2]")
        page.focus("#slider")
        page.keyboard.press("ArrowRight")
        assert shown_step(page) == "Step 1"


def test_the_path_is_marked_in_source_and_picture(browser: Any, file: Path, result: Result) -> None:
    execution = result["correct"].counterexample
    assert execution is not None
    with opened(browser, file) as page:
        settle(page)
        marked = {int(n) for n in page.locator("#listing .row.path .number").all_inner_texts()}
        assert marked == {step.source.line for step in execution.steps if step.source is not None}
        assert page.locator("#graph .block.path").count() == page.locator("#graph .block").count()
        assert page.locator("#graph path.arrow.path").count() == 5


def test_sub_formulas_have_the_colour_of_their_truth(browser: Any, file: Path, result: Result) -> None:
    truth = result["correct"].truth
    execution = result["correct"].counterexample
    assert execution is not None
    classes = {True: "v1", False: "v0", None: "vn"}
    with opened(browser, file) as page:
        for key, number in [("Home", 0), ("End", len(execution.steps) - 1)]:
            page.keyboard.press(key)
            location = int(execution.steps[number].location[1:])
            for k, text in enumerate(truth):
                names = page.locator("#tree .sub").nth(k).get_attribute("class").split()
                assert classes[truth[text][location]] in names
            cells = page.locator("#matrix td.now:not(.step)")
            assert cells.count() == len(truth)
            for k, values in enumerate(truth.values()):
                assert classes[values[location]] in cells.nth(k).get_attribute("class").split()
        page.locator("#tree .sub").nth(2).click()
        settle(page)
        assert page.locator("#graph .dot1").count() == truth["leaf"].count(True)


def test_blocks_unfold_and_fold_by_key_and_button(browser: Any, file: Path, result: Result) -> None:
    with opened(browser, file) as page:
        for _ in range(4):
            page.keyboard.press("ArrowRight")
        settle(page)
        lines = page.locator("#graph .block.current text")
        before = lines.count()
        page.focus("#graph")
        page.keyboard.press("Enter")
        settle(page)
        assert lines.count() == before + 6
        page.keyboard.press("Enter")
        settle(page)
        assert lines.count() == before
        page.click("#unfold")
        page.click("#zoom-fit")
        settle(page)
        heads = page.locator("#graph .block").count()
        assert page.locator("#graph .block text").count() == result.locations + heads


def test_any_location_can_be_visited(browser: Any, file: Path) -> None:
    with opened(browser, file) as page:
        page.click("#first")
        page.fill("#go-to", "l10")
        page.keyboard.press("Enter")
        assert shown_step(page) == "Step 10"
        page.keyboard.press("Enter")
        assert shown_step(page) == "Step 19"
        page.fill("#go-to", "l99")
        page.keyboard.press("Enter")
        assert page.get_attribute("#go-to", "aria-invalid") == "true"


def test_a_formula_that_holds_has_no_steps(browser: Any, file: Path) -> None:
    with opened(browser, file) as page:
        page.focus("#tab-0")
        page.keyboard.press("ArrowDown")
        assert page.get_attribute("#tab-1", "aria-selected") == "true"
        assert page.is_hidden("#stepper")
        assert page.locator("#graph .block.path").count() == 0


def test_hints_lead_to_their_steps(browser: Any, file: Path, result: Result) -> None:
    hint = next(hint for hint in result["correct"].hints if hint.steps)
    with opened(browser, file) as page:
        item = page.locator("#hints li", has_text=hint.text)
        item.locator("button").first.click()
        assert shown_step(page) == f"Step {hint.steps[0]}"


def test_a_lasso_goes_round(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "lasso.html"
    found = check(repeat_until_success(reset_ancilla=True), "AF leaf")
    found.to_html(path)
    execution = found.counterexample
    assert execution is not None
    assert execution.loop_start is not None
    with opened(browser, path) as page:
        page.keyboard.press("End")
        assert page.inner_text("#next").startswith("again")
        page.keyboard.press("ArrowRight")
        assert shown_step(page) == f"Step {execution.loop_start}"
        assert f"for ever from step {execution.loop_start} on" in page.inner_text("#claim")


def test_the_picture_zooms_and_moves(browser: Any, file: Path) -> None:
    with opened(browser, file) as page:
        settle(page)
        places = [page.get_attribute("#graph > g", "transform")]
        keys = [lambda: page.click("#zoom-in"), lambda: page.keyboard.press("-")]
        for action in (*keys, drag(page), wheel(page)):
            action()
            page.focus("#graph")
            settle(page)
            places.append(page.get_attribute("#graph > g", "transform"))
        assert all(before != after for before, after in pairwise(places))


def drag(page: Any) -> Any:
    def act() -> None:
        box = page.locator("#graph").bounding_box()
        page.mouse.move(box["x"] + 20, box["y"] + 20)
        page.mouse.down()
        page.mouse.move(box["x"] + 60, box["y"] + 50)
        page.mouse.up()

    return act


def wheel(page: Any) -> Any:
    return lambda: page.mouse.wheel(0, -300)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_is_readable_in_light_and_dark(browser: Any, file: Path, scheme: str) -> None:
    script = """(selector) => {
      const shade = (text) => text.match(/\\d+/g).slice(0, 3).map(Number).reduce((a, b) => a + b) / 765;
      const style = getComputedStyle(document.querySelector(selector));
      return [shade(style.color), shade(getComputedStyle(document.body).backgroundColor)];
    }"""
    with opened(browser, file, scheme=scheme) as page:
        for selector in ("body", "h2", "#where .statement", "#sizes"):
            ink, paper = page.evaluate(script, selector)
            assert (ink < paper) == (scheme == "light")
            assert abs(ink - paper) > 0.4


def test_a_narrow_window_does_not_scroll_sideways(browser: Any, file: Path) -> None:
    with opened(browser, file, width=400) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= 400


def test_every_control_has_a_name(browser: Any, file: Path) -> None:
    script = """() => [...document.querySelectorAll('button, input, select, [role=button], [tabindex="0"]')]
      .filter((e) => !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length))
      .map((e) => e.id)"""
    with opened(browser, file) as page:
        assert page.evaluate(script) == []


def test_user_text_is_never_run(browser: Any, result: Result, tmp_path: Path) -> None:
    texts = [EVIL] * len(result.program.code)
    program = replace(result.program, name=EVIL, texts=texts, qubits=(EVIL,) * 3)
    path = tmp_path / "evil.html"
    replace(result, program=program, warnings=(EVIL,)).to_html(path)
    with opened(browser, path) as page:
        page.click("#view-statements")
        page.keyboard.press("End")
        assert page.evaluate("window.evil") is None
        assert page.locator("img").count() == 0
        assert page.inner_text("#program") == EVIL


def test_ten_thousand_locations_stay_a_small_page(browser: Any, tmp_path: Path) -> None:
    circuit = QuantumCircuit(1, 1)
    for round_ in range(420):
        if round_ == 30:
            circuit.mark("early")
        for _ in range(21):
            circuit.h(0)
        circuit.measure(0, 0)
        with circuit.if_test((circuit.clbits[0], 1)):
            circuit.x(0)
    found = check(circuit, "AG !early", numbers="float")
    assert found.locations > 10_000
    path = tmp_path / "large.html"
    found.to_html(path)
    size = "document.querySelectorAll('*').length"
    with opened(browser, path) as page:
        settle(page)
        assert page.evaluate(size) < 3_000
        page.keyboard.press("End")
        settle(page)
        assert page.inner_text("#where .statement") == "h q[0]"
        assert page.locator("#graph .here").count() == 1
        page.click("#zoom-fit")
        settle(page)
        assert page.evaluate(size) < 3_000
        page.fill("#go-to", f"l{found.locations - 1}")
        page.keyboard.press("Enter")
        settle(page)
        assert shown_step(page) == "Off the execution"


def coins(turns: int) -> QuantumCircuit:
    """Each of them thrown, and put back to |0>."""
    circuit = QuantumCircuit(1, 1)
    for _ in range(turns):
        circuit.h(0)
        circuit.measure(0, 0)
        with circuit.if_test((circuit.clbits[0], 1)):
            circuit.x(0)
    return circuit


def test_a_page_without_a_picture_steps_as_well(browser: Any, tmp_path: Path) -> None:
    found = check(coins(20), "EF (leaf & c == 1)", method="stabiliser")
    assert found.statistics.store != "explicit" and found._backdrop.system is None
    path = tmp_path / "at-once.html"
    found.to_html(path)
    with opened(browser, path) as page:
        page.goto(path.as_uri() + "#step=11")
        page.reload()
        settle(page)
        assert shown_step(page) == "Step 11" and page.inner_text("#counter").startswith("11 /")
        assert "computed at once" in page.inner_text("#no-picture")


def test_a_large_picture_shows_the_step_of_the_address(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "large.html"
    check(coins(60), "EF (leaf & c == 1)", method="graph", numbers="exact").to_html(path)
    with opened(browser, path) as page:
        page.goto(path.as_uri() + "#step=150")
        page.reload()
        settle(page)
        here, canvas = (page.locator(name).first.bounding_box() for name in ("#graph .here", "#graph"))
        assert canvas["y"] <= here["y"] <= canvas["y"] + canvas["height"]


def test_repairs_are_listed_where_they_were_asked_for(browser: Any, tmp_path: Path) -> None:
    program = Path(__file__).parents[2] / "examples" / "rus_buggy.qasm"
    plain = check(str(program))
    for result, shown in ((plain, False), (plain.with_repairs(limit=1), True)):
        path = tmp_path / f"repairs-{shown}.html"
        result.to_html(path)
        with opened(browser, path) as page:
            settle(page)
            assert page.is_visible("#repairs") is shown
            if shown:
                assert "insert reset q[0]" in page.inner_text("#repairs li")
                assert "+  reset q[0];" in page.inner_text("#repairs pre")
                assert page.inner_text("#repairs summary").startswith("Repairs: 1 repair found")


def test_the_page_opens_at_the_marked_step_or_at_that_of_its_address(
    browser: Any, file: Path, result: Result
) -> None:
    marked = min(s for hint in result["correct"].hints if hint.kind in POINTING for s in hint.steps)
    with opened(browser, file) as page:
        assert shown_step(page) == f"Step {marked}"
        page.goto(file.as_uri() + "#step=11")
        page.reload()
        assert shown_step(page) == "Step 11"
        page.keyboard.press("ArrowRight")
        assert "step=12" in page.url
        page.evaluate("() => { location.hash = '#step=3'; }")
        page.wait_for_function("() => document.getElementById('inspector-title').textContent === 'Step 3'")


def test_the_executed_circuit(browser: Any, file: Path, result: Result) -> None:
    execution = result["correct"].counterexample
    assert execution is not None
    with opened(browser, file) as page:
        page.click("#view-circuit")
        settle(page)
        assert page.is_hidden("#graph") and page.is_hidden("#zoom")
        assert page.locator("#circuit .wire").count() == result.program.num_qubits
        page.locator("#circuit [data-step='11'] .count").click()
        assert shown_step(page) == "Step 11"
        assert page.locator("#circuit .now").get_attribute("data-step") == "11"
        page.click("#view-graph")
        assert page.is_visible("#graph")


def test_differences_from_the_passing_execution_are_marked(browser: Any, file: Path) -> None:
    """At the second turn the ancilla is |1>; in the execution that passes, it is |0>."""
    with opened(browser, file) as page:
        page.goto(file.as_uri() + "#step=11")
        page.reload()
        assert page.locator("#state tr.differs").count() == 1
        assert page.locator("#beside tr.differs").count() == 1
        assert "|001" in page.inner_text("#beside table")


def test_locations_off_the_execution_show_their_states(browser: Any, file: Path) -> None:
    with opened(browser, file) as page:
        page.focus("#tab-0")
        page.keyboard.press("ArrowDown")
        page.fill("#go-to", "l12")
        page.keyboard.press("Enter")
        assert "span 2 dimensions" in page.inner_text("#state")
        assert page.locator("#state table").count() == 2


def test_600_pixels_are_enough(browser: Any, file: Path) -> None:
    with opened(browser, file, width=600) as page:
        page.click("#view-circuit")
        settle(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= 600
