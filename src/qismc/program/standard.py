"""Gates by name and angles: Qiskit's standard gates, and the further names of the OpenQASM dialects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import pi
from typing import NamedTuple

from qismc.common.source import Source
from qismc.common.wording import counted
from qismc.errors import ProgramError
from qismc.program.gates import FORMULAS, Base
from qismc.program.operators import Factor, Factors, Operator


class Gate(NamedTuple):
    """A gate with a name: how many qubits and angles it takes, and its factors for given angles."""

    width: int
    angles: int
    factors: Callable[..., Factors]


PLAIN = (
    "x", "y", "z", "h", "s", "sdg", "t", "tdg", "sx", "sxdg", "p", "rx", "ry", "rz", "r", "u", "swap",
    "iswap", "dcx", "ecr", "rzz", "rxx", "ryy", "rzx", "xx_plus_yy", "xx_minus_yy",
)  # fmt: skip
CONTROLLED = {
    "cx": ("x", 1), "cy": ("y", 1), "cz": ("z", 1), "ch": ("h", 1), "cs": ("s", 1), "csdg": ("sdg", 1),
    "csx": ("sx", 1), "cp": ("p", 1), "cu1": ("p", 1), "crx": ("rx", 1), "cry": ("ry", 1), "crz": ("rz", 1),
    "cu3": ("u", 1), "cswap": ("swap", 1), "ccx": ("x", 2), "ccz": ("z", 2), "c3sx": ("sx", 3),
    "mcx": ("x", 3),  # what Qiskit calls C3XGate; with other numbers of controls `mcx` is no standard gate
}  # fmt: skip
"""Standard gates of Qiskit with controls -> (base, number of controls)."""


def _factor(name: str, angles: Sequence[float] = (), controls: int = 0) -> Factor:
    """The base on the last qubits where all of the first `controls` qubits are 1."""
    targets = tuple(range(controls, controls + FORMULAS[name][0]))
    return Factor(Base(name, tuple(angles)), targets, tuple((c, 1) for c in range(controls)))


def _based(name: str, controls: int = 0) -> Gate:
    """The gate that is one base under some controls."""
    width, count, _ = FORMULAS[name]
    return Gate(controls + width, count, lambda *angles: (_factor(name, angles, controls),))


def _cu(theta: float, phi: float, lam: float, gamma: float) -> Factors:
    """u(theta, phi, lam) exp(i gamma) under one control: the phase sits on the control."""
    return (Factor(Base("p", (gamma,)), (0,)), _factor("u", (theta, phi, lam), 1))


def _rccx() -> Factors:
    """ccx up to signs: y where both controls are 1, z where only the first is."""
    return (
        Factor(Base("y"), (2,), ((0, 1), (1, 1))),
        Factor(Base("z"), (2,), ((0, 1), (1, 0))),
    )


def _rcccx() -> Factors:
    """cccx up to phases: i y where all controls are 1, i z where only the third is 0."""
    both = ((0, 1), (1, 1))
    return (
        Factor(Base("x"), (3,), (*both, (2, 1))),
        Factor(Base("z"), (3,), (*both, (2, 1))),
        Factor(Base("z"), (3,), (*both, (2, 0))),
        Factor(Base("s"), (1,), ((0, 1), (2, 0))),
    )


STANDARD: dict[str, Gate] = {
    **{name: _based(name) for name in PLAIN},
    **{name: _based(base, controls) for name, (base, controls) in CONTROLLED.items()},
    "id": Gate(1, 0, lambda: ()),
    "global_phase": Gate(0, 1, lambda angle: (Factor(Base("phase", (angle,)), ()),)),
    "u1": _based("p"),
    "u2": Gate(1, 2, lambda phi, lam: (_factor("u", (pi / 2, phi, lam)),)),
    "u3": _based("u"),
    "cu": Gate(2, 4, _cu),
    "rccx": Gate(3, 0, _rccx),
    "rcccx": Gate(4, 0, _rcccx),
}
"""The standard gates of Qiskit."""


@lru_cache(maxsize=4096)
def standard_operator(name: str, angles: tuple[float, ...] = ()) -> Operator:
    """The operator of a standard gate; one shared object per name and angles."""
    width, count, factors = STANDARD[name]
    if len(angles) != count:
        raise ValueError(f"gate '{name}' takes {count} angles, not {len(angles)}")
    return Operator(name, width, factors(*angles), angles)


ALIASES = {
    "CX": "cx", "cnot": "cx", "CNOT": "cx", "U": "u", "phase": "p", "cphase": "cp", "toffoli": "ccx",
    "ccnot": "ccx", "fredkin": "cswap", "c3sqrtx": "c3sx", "rc3x": "rcccx", "v": "sx", "vdg": "sxdg",
    "cv": "csx", "i": "id", "prx": "r", "U1q": "r", "Rz": "rz", "RZZ": "rzz",
}  # fmt: skip
MULTI_CONTROLLED = {
    "mcx": "x", "mct": "x", "mcx_gray": "x", "mcy": "y", "mcz": "z", "mch": "h", "mcp": "p",
    "mcphase": "p", "mcu1": "p", "mcrx": "rx", "mcry": "ry", "mcrz": "rz", "mcswap": "swap",
}  # fmt: skip
"""Gates with as many controls as the qubits in front of their base."""
FURTHER = {
    "c3x": ("x", 3), "c4x": ("x", 4), "c3z": ("z", 3), "c4z": ("z", 4), "ccy": ("y", 2), "cch": ("h", 2),
    "ccp": ("p", 2), "csxdg": ("sxdg", 1), "cvdg": ("sxdg", 1), "ct": ("t", 1), "ctdg": ("tdg", 1),
    "ciswap": ("iswap", 1),
}  # fmt: skip
"""Names of the OpenQASM dialects -> (base, number of controls)."""
NAMED: dict[str, Gate] = {
    **{name: gate for name, gate in STANDARD.items() if name != "global_phase"},
    **{alias: STANDARD[name] for alias, name in ALIASES.items()},
    **{name: _based(base, controls) for name, (base, controls) in FURTHER.items()},
    "iswapdg": _based("iswapdg"),
    "u0": Gate(1, 1, lambda _: ()),  # an idle cycle
    "ZZ": Gate(2, 0, lambda: (_factor("rzz", (pi / 2,)),)),  # of hqslib1.inc
}
"""The gates that texts may name, but for those of MULTI_CONTROLLED."""


def known_names() -> set[str]:
    """Every gate name that `named_gate` understands."""
    return {*NAMED, *MULTI_CONTROLLED}


def _gate(name: str, width: int) -> Gate | None:
    """The gate of that name; gates with any number of controls have as many as fit the width."""
    if name not in MULTI_CONTROLLED:
        return NAMED.get(name)
    base = MULTI_CONTROLLED[name]
    return _based(base, max(0, width - FORMULAS[base][0]))


def signature(name: str, width: int) -> tuple[int, int] | None:
    """(number of angles, number of qubits) of a known gate; multi-controlled gates take the given width."""
    gate = _gate(name, width)
    return None if gate is None else (gate.angles, gate.width)


def check_signature(
    name: str, expected: tuple[int, int], angles: int, width: int, source: Source | None
) -> None:
    """Raise ProgramError unless a gate with this signature takes so many angles and qubits."""
    if expected[1] != width:
        raise ProgramError(f"gate '{name}' takes {counted(expected[1], 'qubit')}, not {width}", source=source)
    if expected[0] != angles:
        raise ProgramError(f"gate '{name}' takes {expected[0]} angles, not {angles}", source=source)


@lru_cache(maxsize=4096)
def named_gate(name: str, angles: tuple[float, ...], width: int) -> Operator:
    """The operator of a known gate with angles and qubits that fit its signature."""
    gate = _gate(name, width)
    assert gate is not None
    return Operator(name, width, gate.factors(*angles), angles)


def does_what_it_says(operator: Operator) -> bool:
    """Is it the known gate of its name? Programs may define their own gate `h`."""
    name, angles, width = operator.name, operator.angles, operator.width
    if signature(name, width) != (len(angles), width) or (name in MULTI_CONTROLLED and width < 2):
        return False
    return named_gate(name, angles, width).factors == operator.factors
