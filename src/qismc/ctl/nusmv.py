"""NuSMV: a labelled graph and a formula as its model, and its answer mapped back to locations.

Locations are l0, l1, …, labels are sets of them.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from qismc.ctl.evaluation import Atoms, as_until
from qismc.ctl.graph import Graph, Mask, forward
from qismc.errors import UsageError
from qismc.language import Formula, operands, syntax, to_text

VARIABLE = "QISMC_NUSMV"
PROGRAMS = ("NuSMV", "nusmv", "nuXmv", "nuxmv")
MOST_OUTPUT = 50_000_000
"""NuSMV's traces of graphs that it can handle are far shorter than this."""

_HINT = 'the built-in engine (ctl="builtin") needs no other program'


@dataclass(frozen=True)
class NusmvAnswer:
    """NuSMV's verdict at the initial location; a trace where it printed one, with its loop."""

    holds: bool
    steps: tuple[int, ...] = ()
    loop_start: int | None = None


def check_with_nusmv(
    formula: Formula, graph: Graph, atoms: Atoms, *, seconds: float = 60.0, binary: str | None = None
) -> NusmvAnswer:
    """The truth of the formula at the initial location, as NuSMV sees it."""
    program = find_nusmv(binary)
    model = to_smv(formula, graph, atoms)
    with tempfile.TemporaryDirectory(prefix="qismc-") as folder:
        path = Path(folder) / "model.smv"
        path.write_text(model, encoding="utf-8")
        output = _run([program, str(path)], seconds)
    return read_answer(output, graph)


def find_nusmv(binary: str | None = None) -> str:
    """The path of NuSMV: the one given, that of QISMC_NUSMV, or the first on PATH."""
    chosen = binary or os.environ.get(VARIABLE)
    if chosen:
        found = shutil.which(chosen)
        if found is None:
            raise UsageError(f"NuSMV is not at '{chosen}', or it cannot be executed", hint=_HINT)
        return found
    found = next((path for name in PROGRAMS if (path := shutil.which(name))), None)
    if found is None:
        hint = f"install it, or set {VARIABLE} to its path; {_HINT}"
        raise UsageError(f"NuSMV was not found: there is no {', '.join(PROGRAMS)} on PATH", hint=hint)
    return found


def _run(command: list[str], seconds: float) -> str:
    """What the program printed; an error if it fails, hangs or prints without end."""
    process = _start(command)
    late = threading.Event()

    def give_up() -> None:
        late.set()
        _kill(process)

    clock = threading.Timer(seconds, give_up)
    clock.start()
    with process:
        try:
            assert process.stdout is not None
            output = process.stdout.read(MOST_OUTPUT + 1).decode("utf-8", errors="replace")
            if len(output) > MOST_OUTPUT:
                raise UsageError(f"NuSMV prints without end: {_excerpt(output)}", hint=_HINT)
            status = process.wait()
        finally:
            clock.cancel()
            _kill(process)
    if late.is_set():
        raise UsageError(f"NuSMV gave no answer within {seconds:g} s", hint=_HINT)
    if status != 0:
        raise UsageError(f"NuSMV failed with status {status}: {_excerpt(output)}", hint=_HINT)
    return output


def _start(command: list[str]) -> subprocess.Popen[bytes]:
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
    try:
        return subprocess.Popen(
            command, stdin=nothing, stdout=pipe, stderr=subprocess.STDOUT, start_new_session=True
        )
    except OSError as error:
        raise UsageError(f"NuSMV at '{command[0]}' does not start: {error}", hint=_HINT) from None


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End the program and what it has started, if they still run."""
    if process.poll() is not None:
        return
    if hasattr(os, "killpg"):
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()


def _excerpt(output: str) -> str:
    lines = [line for line in output.splitlines() if line.strip() and not line.startswith("***")]
    return " / ".join(lines[-3:])[:300] or "it printed nothing"


# --- the answer ---------------------------------------------------------------------------------------------


def read_answer(output: str, graph: Graph) -> NusmvAnswer:
    """The verdict and trace in what NuSMV printed; an error unless they make sense for this graph."""
    verdicts = re.findall(r"^-- specification .* is (true|false)\s*$", output, re.MULTILINE)
    if len(verdicts) != 1:
        message = f"NuSMV's output has {len(verdicts)} verdicts instead of one: {_excerpt(output)}"
        raise UsageError(message, hint=_HINT)
    steps, loops = _trace(output)
    _check_trace(steps, graph)
    return NusmvAnswer(verdicts[0] == "true", *_folded(steps, loops))


def _trace(output: str) -> tuple[list[int], list[int]]:
    """The locations of the trace and the positions at which a loop is said to start.

    A state prints only the variables that have changed, so a state without a location repeats the last one.
    """
    steps: list[int] = []
    loops: list[int] = []
    for line in output.splitlines():
        if re.match(r"\s*-- Loop starts here", line):
            loops.append(len(steps))
        elif re.match(r"\s*-> State: [\d.]+ <-", line):
            steps.append(steps[-1] if steps else -1)
        elif (found := re.match(r"\s*location = l(\d+)\s*$", line)) and steps:
            steps[-1] = int(found[1])
    return steps, loops


def _check_trace(steps: list[int], graph: Graph) -> None:
    if steps and steps[0] != graph.initial:
        raise UsageError(f"NuSMV's trace does not start at l{graph.initial}", hint=_HINT)
    for source, target in pairwise(steps):
        if not 0 <= target < graph.size or target not in graph.successors.of(source):
            raise UsageError(f"NuSMV's trace goes from l{source} to l{target}, which is no edge", hint=_HINT)


def _folded(steps: list[int], loops: list[int]) -> tuple[tuple[int, ...], int | None]:
    """NuSMV repeats the first location of a loop at its end: leave the repetition out."""
    starts = [k for k in loops if k < len(steps) - 1 and steps[k] == steps[-1]]
    return (tuple(steps[:-1]), starts[-1]) if starts else (tuple(steps), None)


# --- the model ----------------------------------------------------------------------------------------------

Describe = Callable[[int], str]

_RESERVED = frozenset(
    re.findall(
        r"\w+",
        """
        MODULE DEFINE MDEFINE CONSTANTS VAR IVAR FROZENVAR FUN INIT TRANS INVAR SPEC CTLSPEC LTLSPEC PSLSPEC
        COMPUTE NAME INVARSPEC FAIRNESS JUSTICE COMPASSION ISA ASSIGN CONSTRAINT SIMPWFF CTLWFF LTLWFF PSLWFF
        COMPWFF IN MIN MAX MIRROR PRED PREDICATES process array of boolean integer real word word1 bool signed
        unsigned extend resize sizeof uwconst swconst EX AX EF AF EG AG E F O G H X Y Z A U S V T BU EBF ABF
        EBG ABG case esac mod next init union in xor xnor self TRUE FALSE count abs max min toint typeof floor
        location nowhere
        """,
    )
)


def to_smv(formula: Formula, graph: Graph, atoms: Atoms, describe: Describe | None = None) -> str:
    """A model whose specification holds in NuSMV iff the formula holds at the initial location.

    Only locations that can be reached are written; `describe(location)` becomes a comment beside each.
    """
    reachable = forward(graph, graph.only(graph.initial))
    labels = _labels(formula)
    lines = [f"-- {_comment(to_text(formula))}", "MODULE main", "VAR"]
    lines += [f"  location : {_domain(reachable)};", "ASSIGN", f"  init(location) := l{graph.initial};"]
    lines += ["  next(location) := case", *_transitions(graph, reachable, describe), "  esac;"]
    if labels:
        lines.append("DEFINE")
    for atom, name in labels.items():
        where = np.asarray(atoms(atom, reachable), dtype=bool) & reachable
        lines += [f"  -- {_comment(to_text(atom))}", f"  {name} := {_membership(where, reachable)};"]
    return "\n".join([*lines, f"CTLSPEC {_spec(formula, labels)};", ""])


def _transitions(graph: Graph, reachable: Mask, describe: Describe | None) -> Iterator[str]:
    """One line per location; the last guard is TRUE, so that the cases are exhaustive for NuSMV, too."""
    locations: list[int] = np.flatnonzero(reachable).tolist()
    for location in locations:
        names = [f"l{target}" for target in sorted(set(graph.successors.of(location).tolist()))]
        guard = "TRUE" if location == locations[-1] else f"location = l{location}"
        value = names[0] if len(names) == 1 else "{" + ", ".join(names) + "}"
        remark = f"  -- l{location}: {_comment(describe(location))}" if describe is not None else ""
        yield f"    {guard} : {value};{remark}"


def _membership(where: Mask, reachable: Mask) -> str:
    if not where.any():
        return "FALSE"
    if np.array_equal(where, reachable):
        return "TRUE"
    return f"location in {_set(where)}"


def _domain(reachable: Mask) -> str:
    """NuSMV takes a variable with one value for a constant, which cannot be assigned: add a value."""
    names = _set(reachable)
    return names if np.count_nonzero(reachable) > 1 else names.replace("}", ", nowhere}")


def _set(where: Mask) -> str:
    return "{" + ", ".join(f"l{k}" for k in np.flatnonzero(where).tolist()) + "}"


def _comment(text: str) -> str:
    """One line of ASCII."""
    return " ".join(text.split()).encode("ascii", "backslashreplace").decode()


# --- labels -------------------------------------------------------------------------------------------------


def _labels(formula: Formula) -> dict[Formula, str]:
    """A readable and unique identifier for each atomic formula."""
    names: dict[Formula, str] = {}
    for atom in _atomic(formula):
        if atom not in names:
            names[atom] = _unique(_identifier(atom), set(names.values()))
    return names


def _atomic(formula: Formula) -> Iterator[Formula]:
    if isinstance(formula, syntax.Atomic):
        yield formula
    for part in operands(formula):
        yield from _atomic(part)


def _identifier(atom: Formula) -> str:
    if isinstance(atom, syntax.Quantum):
        return "quantum"
    if isinstance(atom, syntax.Probability):
        return {"=1": "almost_surely", ">0": "possibly"}.get(str(atom.bound), "likely")
    words = {"==": "eq", "!=": "ne", "<=": "le", ">=": "ge", "<": "lt", ">": "gt", "@": "at", "-": "minus"}
    text = re.sub(r"==|!=|<=|>=|<|>|@|-", lambda symbol: f" {words[symbol.group()]} ", to_text(atom))
    name = "_".join(re.findall(r"[A-Za-z0-9]+", text)) or "label"
    return f"{name}_" if name in _RESERVED or re.fullmatch(r"l?\d+.*", name) else name


def _unique(name: str, taken: set[str]) -> str:
    candidates = (name if k == 0 else f"{name}_{k}" for k in range(len(taken) + 1))
    return next(candidate for candidate in candidates if candidate not in taken)


# --- formulas -----------------------------------------------------------------------------------------------


def _spec(formula: Formula, labels: dict[Formula, str]) -> str:
    """The formula in NuSMV's CTL, fully parenthesised."""
    if formula in labels:
        return labels[formula]

    def text(part: Formula) -> str:
        return _spec(part, labels)

    match formula:
        case syntax.Constant(value):
            return "TRUE" if value else "FALSE"
        case syntax.Not(operand):
            return f"!{text(operand)}"
        case syntax.And(left, right):
            return f"({text(left)} & {text(right)})"
        case syntax.Or(left, right):
            return f"({text(left)} | {text(right)})"
        case syntax.Implies(left, right):
            return f"({text(left)} -> {text(right)})"
        case syntax.Iff(left, right):
            return f"({text(left)} <-> {text(right)})"
        case syntax.Temporal(quantifier, "U", (p, q)):
            return f"{quantifier} [{text(p)} U {text(q)}]"
        case syntax.Temporal(quantifier, ("W" | "R") as op, parts):  # NuSMV lacks both
            _, hold, goal = as_until(op, [_Text(text(part)) for part in parts], _Text("TRUE"))
            return f"!{'E' if quantifier == 'A' else 'A'} [{hold.text} U {goal.text}]"
        case syntax.Temporal(quantifier, op, (p,)):
            return f"({quantifier}{op} {text(p)})"
    raise TypeError(f"{formula!r} is no formula")


@dataclass(frozen=True)
class _Text:
    """A formula of NuSMV."""

    text: str

    def __invert__(self) -> _Text:
        return _Text(f"!{self.text}")

    def __and__(self, other: _Text) -> _Text:
        return _Text(f"({self.text} & {other.text})")
