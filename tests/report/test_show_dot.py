"""DOT: its own syntax, and the same blocks and arrows."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace

import pytest

from qismc import Model
from qismc.demo import repeat_until_success
from qismc.report.show_dot import dot

from .programs import random_program


@pytest.mark.parametrize("seed", range(5))
def test_every_block_and_arrow_is_there(seed: int) -> None:
    picture = Model(random_program(seed)).diagram()
    text = dot(picture)
    assert re.findall(r"^  b(\d+) \[", text, re.M) == [str(b.number) for b in picture.blocks]
    arrows = re.findall(r"^  b(\d+) -> b(\d+)", text, re.M)
    assert [(int(a), int(b)) for a, b in arrows] == [(a.source, a.target) for a in picture.arrows]


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_graphviz_reads_names_with_quotes_and_backslashes() -> None:
    picture = Model(repeat_until_success(reset_ancilla=True)).diagram()
    program = replace(picture.system.program, name='a "b" \\ <c>', texts=['x "\\" <&>'] * 100)
    picture.system.program = program
    done = subprocess.run(
        ["dot", "-Tplain"], input=dot(picture), capture_output=True, text=True, check=True, timeout=60
    )
    assert sum(line.startswith("node") for line in done.stdout.splitlines()) == len(picture.blocks)
