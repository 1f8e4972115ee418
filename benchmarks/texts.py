"""Large OpenQASM files with known verdicts, for the front end: reading and building count, not the states."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from benchmarks.case import FINAL, Expected, at_least, ket
from qismc.common.choices import Store

HEADER = 'OPENQASM 2.0;\ninclude "qelib1.inc";\n'


@dataclass(frozen=True)
class TextCase:
    """As a `Case`, with the text of a file instead of a circuit."""

    name: str
    text: str
    formulas: Mapping[str, str]
    props: Mapping[str, str]
    expected: Expected
    store: Store = "auto"


def many_ifs(count: int) -> TextCase:
    """A coin tossed `count` times, each time into a 1-bit register of its own, and turned back to |0>."""
    at_least(1, count=count)
    registers = "".join(f"creg c{k}[1];\n" for k in range(count))
    turns = "".join(f"h q[0];\nmeasure q[0] -> c{k}[0];\nif (c{k} == 1) x q[0];\n" for k in range(count))
    text = f"{HEADER}qreg q[1];\n{registers}{turns}"
    return TextCase(f"ifs-{count}", text, FINAL, {"target": "span(|0>)"}, "holds")


def many_turns(count: int) -> TextCase:
    """A loop of OpenQASM 3 that is unrolled: every turn changes a qubit and changes it back."""
    at_least(1, count=count)
    text = (
        f'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit q;\nfor int i in [1:{count}] {{\n  h q;\n  h q;\n}}\n'
    )
    return TextCase(f"turns-{count}", text, FINAL, {"target": "span(|0>)"}, "holds")


def kept_coins(count: int) -> TextCase:
    """A coin tossed `count` times: all outcomes are kept, each combination in a location of its own."""
    at_least(1, count=count)
    tosses = "".join(f"h q[0];\nmeasure q[0] -> c[{k}];\n" for k in range(count))
    text = f"{HEADER}qreg q[1];\ncreg c[{count}];\n{tosses}"
    formulas = {"zeros": "AG (leaf & c == 0 -> target)"}
    return TextCase(f"kept-coins-{count}", text, formulas, {"target": "span(|0>)"}, "holds", "explicit")


PAIR = f"{HEADER}qreg q[2];\ncreg c[2];\nh q[0];\ncx q[0],q[1];\n"


def tiny_pair(broken: Literal["target"] | None = None) -> TextCase:
    """Two entangled qubits: what a check costs where there is nothing to do. `broken` expects |00>."""
    target = "span(|00> + |11>)" if broken is None else "span(|00>)"
    verdict: Expected = "holds" if broken is None else "violated"
    return TextCase(_named("tiny-pair", broken), PAIR, FINAL, {"target": target}, verdict)


def tiny_measured(broken: Literal["target"] | None = None) -> TextCase:
    """The same, measured: two leaves."""
    text = f"{PAIR}measure q -> c;\n"
    target = "span(|00>, |11>)" if broken is None else "span(|00>)"
    verdict: Expected = "holds" if broken is None else "violated"
    return TextCase(_named("tiny-measured", broken), text, FINAL, {"target": target}, verdict)


def _named(name: str, broken: str | None) -> str:
    return name if broken is None else f"{name}-broken-{broken}"


def many_gates(count: int, n: int = 20, seed: int = 0) -> TextCase:
    """`count` random gates that keep a basis state one: the target is what a classical computer finds."""
    at_least(3, n=n)
    rng = random.Random(seed)
    bits = [0] * n
    lines = [f"{HEADER}qreg q[{n}];"]
    for _ in range(count):
        a, b, c = rng.sample(range(n), 3)
        name = rng.choice(("x", "z", "t", "cx", "cz", "ccx", "rz"))
        if name == "x":
            bits[a] ^= 1
        elif name == "cx":
            bits[b] ^= bits[a]
        elif name == "ccx":
            bits[c] ^= bits[a] & bits[b]
        lines.append(_line(name, a, b, c, rng))
    target = ket("".join(map(str, bits)))
    text = "\n".join(lines) + "\n"
    return TextCase(f"gates-{count}", text, FINAL, {"target": f"span({target})"}, "holds")


def _line(name: str, a: int, b: int, c: int, rng: random.Random) -> str:
    if name == "ccx":
        return f"ccx q[{a}],q[{b}],q[{c}];"
    if name in ("cx", "cz"):
        return f"{name} q[{a}],q[{b}];"
    return f"rz(pi*{rng.randrange(1, 8)}/8) q[{a}];" if name == "rz" else f"{name} q[{a}];"
