"""Gates by name and angles: Qiskit's standard gates, and the further names of the OpenQASM dialects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import pi

from qismc.common.source import Source
from qismc.common.wording import counted
from qismc.errors import ProgramError
from qismc.program.gates import FORMULAS
from qismc.program.operators import Base, Factor, Operator
from qismc.program.products import inverse

Factors = tuple[Factor, ...]
Recipe = Callable[..., Factors]

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


def controlled_base(name: str, angles: Sequence[float], controls: int) -> Factor:
    """`name` on the last qubits, all of the first `controls` qubits being 1."""
    targets = tuple(range(controls, controls + FORMULAS[name][0]))
    return Factor(Base(name, tuple(angles)), targets, tuple((c, 1) for c in range(controls)))


def _based(name: str, controls: int = 0) -> Recipe:
    return lambda *angles: (controlled_base(name, angles, controls),)


def _cu(theta: float, phi: float, lam: float, gamma: float) -> Factors:
    """u(theta, phi, lam) exp(i gamma) under one control: the phase sits on the control."""
    return (Factor(Base("p", (gamma,)), (0,)), controlled_base("u", (theta, phi, lam), 1))


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


# name: (qubits, angles, recipe)
STANDARD: dict[str, tuple[int, int, Recipe]] = {
    **{name: (FORMULAS[name][0], FORMULAS[name][1], _based(name)) for name in PLAIN},
    **{
        name: (FORMULAS[base][0] + controls, FORMULAS[base][1], _based(base, controls))
        for name, (base, controls) in CONTROLLED.items()
    },
    "id": (1, 0, lambda: ()),
    "global_phase": (0, 1, lambda angle: (Factor(Base("phase", (angle,)), ()),)),
    "u1": (1, 1, _based("p")),
    "u2": (1, 2, lambda phi, lam: (controlled_base("u", (pi / 2, phi, lam), 0),)),
    "u3": (1, 3, _based("u")),
    "cu": (2, 4, _cu),
    "rccx": (3, 0, _rccx),
    "rcccx": (4, 0, _rcccx),
}


@lru_cache(maxsize=4096)
def standard_operator(name: str, angles: tuple[float, ...] = ()) -> Operator:
    """The operator of a standard gate; one shared object per name and angles."""
    width, count, recipe = STANDARD[name]
    if len(angles) != count:
        raise ValueError(f"gate '{name}' takes {count} angles, not {len(angles)}")
    return Operator(name, width, recipe(*angles), angles)


ALIASES = {
    "CX": "cx", "cnot": "cx", "CNOT": "cx", "U": "u", "phase": "p", "cphase": "cp", "toffoli": "ccx",
    "ccnot": "ccx", "fredkin": "cswap", "c3sqrtx": "c3sx", "rc3x": "rcccx", "v": "sx", "vdg": "sxdg",
    "cv": "csx", "i": "id", "prx": "r", "U1q": "r", "Rz": "rz", "RZZ": "rzz",
}  # fmt: skip
# any number of controls in front of a base gate
MULTI_CONTROLLED = {
    "mcx": "x", "mct": "x", "mcx_gray": "x", "mcy": "y", "mcz": "z", "mch": "h", "mcp": "p",
    "mcphase": "p", "mcu1": "p", "mcrx": "rx", "mcry": "ry", "mcrz": "rz", "mcswap": "swap",
}  # fmt: skip
# name: (base, number of controls)
FIXED = {
    "c3x": ("x", 3), "c4x": ("x", 4), "c3z": ("z", 3), "c4z": ("z", 4), "ccy": ("y", 2), "cch": ("h", 2),
    "ccp": ("p", 2), "csxdg": ("sxdg", 1), "cvdg": ("sxdg", 1), "ct": ("t", 1), "ctdg": ("tdg", 1),
    "ciswap": ("iswap", 1),
}  # fmt: skip


def known_names() -> set[str]:
    """Every gate name that `named_gate` understands."""
    return {*STANDARD, *ALIASES, *MULTI_CONTROLLED, *FIXED, "u0", "iswapdg", "ZZ"} - {"global_phase"}


def signature(name: str, width: int) -> tuple[int, int] | None:
    """(number of angles, number of qubits) of a known gate; multi-controlled gates take the given width."""
    if name == "u0":
        return 1, 1
    if name in ("iswapdg", "ZZ"):
        return 0, 2
    if name in MULTI_CONTROLLED:
        base_width, angles, _ = FORMULAS[MULTI_CONTROLLED[name]]
        return angles, max(width, base_width)
    if name in FIXED:
        base, controls = FIXED[name]
        return FORMULAS[base][1], FORMULAS[base][0] + controls
    name = ALIASES.get(name, name)
    if name in STANDARD and name != "global_phase":
        return STANDARD[name][1], STANDARD[name][0]
    return None


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
    return Operator(name, width, _factors(name, angles, width), angles)


def _factors(name: str, angles: tuple[float, ...], width: int) -> tuple[Factor, ...]:
    if name == "u0":  # an idle cycle
        return ()
    if name == "iswapdg":
        return inverse(standard_operator("iswap").factors)
    if name == "ZZ":  # of hqslib1.inc
        return standard_operator("rzz", (pi / 2,)).factors
    if name in MULTI_CONTROLLED:
        base = MULTI_CONTROLLED[name]
        return (controlled_base(base, angles, width - FORMULAS[base][0]),)
    if name in FIXED:
        base, controls = FIXED[name]
        return (controlled_base(base, angles, controls),)
    return standard_operator(ALIASES.get(name, name), angles).factors
