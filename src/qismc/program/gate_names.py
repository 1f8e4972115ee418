"""The gate names of the OpenQASM dialects, beyond those that are Qiskit's own."""

from __future__ import annotations

from functools import lru_cache
from math import pi

from qismc.program.gates import FORMULAS
from qismc.program.operators import Factor, Operator
from qismc.program.products import inverse
from qismc.program.standard import STANDARD, controlled_base, standard_operator

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
