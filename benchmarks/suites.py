"""The suites of the benchmark: lists of jobs, and the folder workflow over any OpenQASM files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.row import Job, Kind
from benchmarks.scaling import families
from qismc.errors import UsageError, suggestion

GROVER_TREES = (4, 8, 16, 32, 64, 128)
GROVER_LINEAR = (32, 64, 128, 150, 500)
GHZ = (50, 100, 300, 1000)
SECRET = int("10" * 500, 2)
BROKEN_SEARCH = ("oracle", "diffusion")


def _cases(construction: str, arguments: dict[str, Any], broken: Iterable[str] = ()) -> list[Job]:
    """The correct variant, then the broken ones."""
    variants = [arguments, *({**arguments, "broken": part} for part in broken)]
    return [Job(_label(construction, each), "case", construction, each) for each in variants]


def _label(construction: str, arguments: dict[str, Any]) -> str:
    """A name to show while the job runs; the row carries the name of the case."""
    sizes = [str(value) for key, value in arguments.items() if key not in ("secret", "seed")]
    return " ".join([construction.replace("_", " "), *sizes])


def _joined(lists: Iterable[list[Job]]) -> list[Job]:
    return [job for jobs in lists for job in jobs]


def _qai() -> list[Job]:
    return _joined(
        [
            *(_cases("grover_tree", {"b": b}, BROKEN_SEARCH) for b in GROVER_TREES),
            *(_cases("grover_linear", {"b": b}, BROKEN_SEARCH) for b in GROVER_LINEAR),
            *(_cases("ghz", {"n": n}, BROKEN_SEARCH) for n in GHZ),
            _cases("bernstein_vazirani", {"n": 1000, "secret": SECRET}, ["oracle"]),
            _cases("qft", {"n": 40, "value": 0b1011 << 36}),
            _cases("phase_estimation", {"n": 20, "numerator": 0b1011}),
            _cases("w_state", {"n": 64}),
            _cases("random_clifford_t", {"n": 12, "gates": 300, "seed": 1}),
        ]
    )


def _dynamic() -> list[Job]:
    return _joined(
        [
            _cases("repeat_until_success", {}, ["reset"]),
            *(_cases("quantum_walk", {"n": n}, ["step"]) for n in (3, 5)),
            *(_cases("teleportation_chain", {"hops": hops}, ["correction"]) for hops in (1, 10, 50)),
            _cases("repetition_code", {"distance": 5}, ["decoder"]),
            _cases("five_qubit_code", {}, ["decoder"]),
            _cases("steane_code", {}, ["decoder"]),
            _cases("surface_code", {"distance": 3}, ["decoder"]),
            *(_cases("distributed_qft", {"n": n, "value": 5}) for n in (4, 8)),
            *(
                _cases("distributed_phase_estimation", {"n": n, "numerator": 5}, ["feedback"])
                for n in (4, 8, 16)
            ),
            *_live_bits(),
        ]
    )


def _quantities() -> list[Job]:
    """Probabilities; qiskit-aer estimates them with shots in the same run."""
    jobs = _joined(
        [
            _cases("coin_race", {}, ["bound"]),
            *(_cases("success_beside_ghz", {"n": n}) for n in (10, 100)),
            _cases("search", {"n": 5, "turns": 3}, ["bound"]),
            _cases("search", {"n": 8, "turns": 3}),
            _cases("walk_between_walls", {"width": 2}, ["bound"]),
            _cases("walk_between_walls", {"width": 3}),
            _cases("walk_between_walls", {"width": 5, "turns": 20}),
            *(_cases("coins", {"count": count}) for count in (100, 1_000)),
            _cases("parity_chain", {"n": 12}, ["bound"]),
            _cases("parity_chain", {"n": 40}),
            _cases("teleported_coin", {"hops": 5}, ["bound"]),
            _cases("teleported_coin", {"hops": 50}),
        ]
    )
    return [replace(job, kind="quantity") for job in jobs]


def _clifford() -> list[Job]:
    """Clifford programs with feed-forward, on stabiliser groups; stim draws samples in the same run."""
    jobs = _joined(
        [
            _cases("ghz", {"n": 1000}),
            *(
                _cases("surface_memory", {"distance": d, "rounds": d}, ["cx"] if d in (3, 15) else [])
                for d in range(3, 16, 2)
            ),
            *(_cases("repetition_memory", {"distance": d, "rounds": d}, ["cx"]) for d in (25, 51)),
            *(_cases("repetition_table", {"distance": d}, ["flips"]) for d in (9, 13, 15)),
            *(_cases("dynamic_ghz", {"n": n}, ["correction"]) for n in (60, 300)),
            *(_cases("cluster_wire", {"n": n}, ["correction"]) for n in (100, 1000)),
            *(_cases("cluster_grid", {"side": side}, ["cz"]) for side in (9, 21)),
            *(_cases("teleported_plus", {"hops": hops}, ["correction"]) for hops in (50, 300)),
            *(
                _cases("random_dynamic", {"n": n, "coins": coins}, ["undo"])
                for n, coins in ((100, 100), (300, 300), (1000, 1000))
            ),
        ]
    )
    return [replace(job, kind="clifford") for job in jobs]


def _live_bits() -> list[list[Job]]:
    """Programs whose outcomes are kept: the stores outgrow any list of locations."""
    return [
        *(_cases("semiclassical_qft", {"n": n}, ["swap"]) for n in (10, 100, 200)),
        *(_cases("iterative_phase_estimation", {"n": n}, ["swap"]) for n in (10, 100, 200)),
        *(_cases("all_outcomes_qft", {"n": n}) for n in (10, 40, 100)),
        *(_cases("all_measured", {"n": n}, ["flip"]) for n in (10, 100, 1000)),
        *(_cases("ghz_measured", {"n": n}, ["cx"]) for n in (100, 300)),
        *(_cases("dynamic_ghz", {"n": n}, ["correction"]) for n in (12, 60)),
        *(
            _cases("repetition_memory", {"distance": d, "rounds": rounds, "overwritten": again}, ["cx"])
            for d, rounds in ((3, 1), (25, 5), (101, 5))
            for again in (False, True)
        ),
        *(_cases("repetition_code", {"distance": d, "rounds": 2}, ["decoder"]) for d in (3, 9)),
        *(
            _cases("surface_memory", {"distance": d, "rounds": rounds}, ["cx", "bits"] if rounds > 1 else [])
            for d, rounds in ((3, 1), (5, 2), (7, 3), (9, 3))
        ),
        _cases("teleportation_chain", {"hops": 100}, ["correction"]),
        *(_cases("loop_among_live_bits", {"n": n}, ["correction"]) for n in (10, 100)),
    ]


def _frontend() -> list[Job]:
    return [
        *(
            Job(f"{name}{'-broken' if broken else ''}", "text", name.replace("-", "_"), {"broken": broken})
            for name in ("tiny-pair", "tiny-measured")
            for broken in (None, "target")
        ),
        Job("ifs-5000", "text", "many_ifs", {"count": 5_000}),
        Job("turns-10000", "text", "many_turns", {"count": 10_000}),
        Job("kept-coins-14", "text", "kept_coins", {"count": 14}),
        Job("gates-450000", "text", "many_gates", {"count": 450_000}),
    ]


def _ctl() -> list[Job]:
    return [
        Job(f"{shape}-1000000{'-broken' if broken else ''}", "graph", shape, {"size": size, "broken": broken})
        for size in (1_000_000,)
        for shape in ("ladder", "shuffle")
        for broken in (False, True)
    ]


SUITES = {
    "qai": _qai,
    "dynamic": _dynamic,
    "clifford": _clifford,
    "quantities": _quantities,
    "frontend": _frontend,
    "ctl": _ctl,
}
SCALING, LARGE = "scaling", "large"
"""Asked for by name only: families over sizes, and a folder of large files without faults."""
NAMES = (*SUITES, SCALING, LARGE, "all")


def suite(name: str) -> list[Job]:
    """The jobs of a suite; `all` is every suite."""
    if name == "all":
        return _joined(make() for make in SUITES.values())
    if name == SCALING:
        return families()
    if name == LARGE:
        raise UsageError("the suite 'large' is a folder of your files", hint="add --folder DIR")
    if name not in SUITES:
        raise UsageError(
            f"unknown suite '{name}'", hint=suggestion(name, NAMES) or f"one of {', '.join(NAMES)}"
        )
    return SUITES[name]()


def folder(path: Path, seed: int, *, faults: bool = True) -> list[Job]:
    """Every .qasm file below the folder, once clean and once with a random Pauli."""
    if not path.is_dir():
        raise UsageError(f"no such folder: '{path}'")
    files = sorted(path.rglob("*.qasm"))
    if not files:
        raise UsageError(f"there is no .qasm file below '{path}'")
    return [
        Job(_file_label(file, path, kind), kind, str(file), {"seed": seed})
        for file in files
        for kind in KINDS[: 2 if faults else 1]
    ]


KINDS: tuple[Kind, Kind] = ("clean", "faulty")


def _file_label(file: Path, below: Path, kind: str) -> str:
    name = file.relative_to(below).with_suffix("").as_posix()
    return name if kind == "clean" else f"{name}+pauli"
