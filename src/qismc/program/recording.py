"""Where the statements of a Python circuit were written.

A `Recording` runs beside a circuit's data: entry k says which frame of the user's code appended instruction
k, and holds the recordings of its blocks. `QuantumCircuit` here always keeps one; with `trace()` plain
Qiskit circuits keep one, too.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, wraps
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

import qiskit

from qismc.common.arguments import name as checked_name
from qismc.common.source import Source

ATTRIBUTE = "_qismc_trail"
SKIPPED = (str(Path(qiskit.__file__).parent), contextlib.__file__, __file__)
BLOCK_NAMES = frozenset({"if_else", "while_loop", "for_loop", "switch_case", "box"})


Written = Source | tuple[CodeType, int] | None


class Entry(NamedTuple):
    """One instruction: its name (None if it may still change), the user's frame, its blocks' recordings."""

    name: str | None
    place: Written
    blocks: tuple[Recording, ...] = ()


class _Resolver:
    """Frames -> sources; each code object is decoded once."""

    def __init__(self) -> None:
        self.tables: dict[int, tuple[CodeType, list[tuple[int | None, int | None]]]] = {}
        """The code is kept, so that no other one gets its identity."""
        self.found: dict[tuple[int, int], Source] = {}

    def __call__(self, place: Written) -> Source | None:
        if place is None or isinstance(place, Source):
            return place
        code, instruction = place
        key = (id(code), instruction)
        if key not in self.found:
            line, column = self.position(code, instruction)
            self.found[key] = Source(code.co_filename, line, column)
        return self.found[key]

    def position(self, code: CodeType, instruction: int) -> tuple[int, int | None]:
        if id(code) not in self.tables:
            self.tables[id(code)] = code, _positions(code)
        table = self.tables[id(code)][1]
        line, column = table[instruction // 2] if instruction // 2 < len(table) else (None, None)
        return line or code.co_firstlineno, None if column is None else column + 1


@dataclass
class Recording:
    """The entries of one circuit or block, in the order of its data."""

    entries: list[Entry] = field(default_factory=list)
    closed: list[Recording] = field(default_factory=list)  # blocks that wait for their instruction
    reopened: Entry | None = None  # an `if` whose `else` is being written
    is_shell: bool = False  # a `switch`: it holds cases, not instructions
    owner: int = 0
    resolver: _Resolver = field(default_factory=_Resolver)

    def sources(self, circuit: Any, outer: Source | None) -> list[Source | None]:
        """The position of each instruction of `circuit`; `outer` for all where the recording does not fit.

        (Then somebody moved instructions, and it is not known which ones.)
        """
        named = [instruction.name for instruction in circuit.data]
        fits = all(entry.name in (None, name) for entry, name in zip(self.entries, named, strict=False))
        if len(self.entries) > len(named) or not fits:
            return [outer] * len(named)
        found = [self.resolver(entry.place) for entry in self.entries]
        return [*found, *[outer] * (len(named) - len(found))]

    def blocks(self, number: int) -> tuple[Recording, ...]:
        """The recordings of the blocks of instruction `number`."""
        return self.entries[number].blocks if number < len(self.entries) else ()

    def __getstate__(self) -> dict[str, Any]:
        """Frames cannot be pickled; the positions that they stand for can."""
        entries = [Entry(e.name, self.resolver(e.place), e.blocks) for e in self.entries]
        return vars(Recording(entries))


def recording_of(circuit: Any) -> Recording | None:
    """The recording of a circuit, if it has one."""
    return getattr(circuit, ATTRIBUTE, (None,))[0]


def _positions(code: CodeType) -> list[tuple[int | None, int | None]]:
    """(line, column) of each instruction; Python 3.10 knows lines only."""
    if sys.version_info >= (3, 11):
        return [(line, column) for line, _, column, _ in code.co_positions()]
    table: list[tuple[int | None, int | None]] = []
    for start, end, line in code.co_lines():
        table += [(line, None)] * ((end - start) // 2)
    return table


@cache
def _is_users(file: str) -> bool:
    return not file.startswith(SKIPPED)


def _user_frame() -> tuple[CodeType, int] | None:
    """The innermost frame that belongs neither to Qiskit nor to us."""
    frame: FrameType | None = sys._getframe(3)  # below the hook
    while frame is not None:
        if _is_users(frame.f_code.co_filename):
            return frame.f_code, frame.f_lasti
        frame = frame.f_back
    return None


def _stack(circuit: Any) -> list[Recording]:
    """The recordings of the circuit and of its open blocks; a copied circuit gets its own."""
    stack: list[Recording] | None = getattr(circuit, ATTRIBUTE, None)
    if stack is None or stack[0].owner != id(circuit):
        entries = list(stack[0].entries) if stack else []
        stack = [Recording(entries, owner=id(circuit))]
        setattr(circuit, ATTRIBUTE, stack)
    return stack


def _align(recording: Recording, data: Sequence[Any], place: tuple[CodeType, int] | None) -> None:
    """One entry per instruction of `data`; the new ones were written at `place`."""
    known, size = len(recording.entries), len(data)
    if known > size:  # somebody took instructions away: nobody knows which
        recording.entries[:] = [Entry(None, None)] * size
    for number in range(known, size):
        name = data[number].name
        if name in BLOCK_NAMES or recording.closed:
            recording.entries.append(_block_entry(recording, place))
        else:
            recording.entries.append(Entry(name, place))


def _block_entry(recording: Recording, place: tuple[CodeType, int] | None) -> Entry:
    """The instruction that takes the closed blocks; an `else` joins its `if`."""
    blocks, before = tuple(recording.closed), recording.reopened
    recording.closed, recording.reopened = [], None
    return Entry(None, place, blocks) if before is None else Entry(None, before.place, before.blocks + blocks)


Method = Callable[..., Any]
"""What hooks get first is the method of Qiskit that they stand for."""


def _appending(original: Method, self: Any, *args: Any, **kwargs: Any) -> Any:
    """A method that appends instructions, with a note of who called it."""
    recording, data = _stack(self)[-1], self._current_scope().instructions
    if len(recording.entries) != len(data):
        _align(recording, data, None)
    result = original(self, *args, **kwargs)
    if len(recording.entries) != len(data):
        _align(recording, data, _user_frame())
    return result


def _appending_gate(original: Method, self: Any, op: Any, *args: Any, **kwargs: Any) -> Any:
    """The same for the method behind every standard gate: it is called most, and knows the name."""
    recording = _stack(self)[-1]
    scopes = self._control_flow_scopes
    data = scopes[-1].instructions if scopes else self._data
    known = len(data)
    if len(recording.entries) != known:
        _align(recording, data, None)
    result = original(self, op, *args, **kwargs)
    entry = Entry(op.name, _user_frame())
    recording.entries += [entry] * (len(data) - known)
    return result


def _composing(original: Method, self: Any, other: Any, *args: Any, **kwargs: Any) -> Any:
    """compose: instructions of a circuit with a recording keep their own positions."""
    before = list(_stack(self)[-1].entries)
    result = original(self, other, *args, **kwargs)
    target = self if result is None else result
    recording, data = _stack(target)[-1], target._current_scope().instructions
    added = len(data) - len(before)
    inner = recording_of(other)
    frame = _user_frame()
    fresh = inner.entries if inner and len(inner.entries) == added else [Entry(None, frame)] * added
    recording.entries = [*fresh, *before] if kwargs.get("front") else [*before, *fresh]
    return result


def _emptying(original: Method, self: Any, *args: Any, **kwargs: Any) -> Any:
    """copy_empty_like: the copy has no instructions, so no positions."""
    found = original(self, *args, **kwargs)
    setattr(found, ATTRIBUTE, [Recording(owner=id(found))])
    return found


def _copying(original: Method, self: Any, *args: Any, **kwargs: Any) -> Any:
    """copy and assign_parameters: the same instructions, at the same positions."""
    found, recording = original(self, *args, **kwargs), recording_of(self)
    if found is not None and recording is not None:
        copied = Recording(list(recording.entries), owner=id(found), resolver=recording.resolver)
        setattr(found, ATTRIBUTE, [copied])
    return found


def _pushing(original: Method, self: Any, *args: Any, **kwargs: Any) -> Any:
    stack = _stack(self)
    if not stack[-1].is_shell:
        _align(stack[-1], self._current_scope().instructions, None)
        stack[-1].closed = []  # what is left there belongs to a block that an exception ended
    stack.append(Recording(is_shell=kwargs.get("forbidden_message") is not None))
    return original(self, *args, **kwargs)


def _popping(original: Method, self: Any) -> Any:
    """A closed block waits in its parent for its instruction."""
    stack = _stack(self)
    if len(stack) > 1:
        block = stack.pop()
        stack[-1].closed += block.closed if block.is_shell else [block]
    return original(self)


def _reopening(original: Method, self: Any) -> Any:
    """`with else_:` takes the `if` back; its position and blocks are kept."""
    recording = _stack(self)[-1]
    recording.reopened = recording.entries.pop() if recording.entries else None
    return original(self)


HOOKS: dict[str, Method] = {
    "_append_standard_gate": _appending_gate,
    "add_var": _appending,
    "append": _appending,
    "assign_parameters": _copying,
    "barrier": _appending,
    "compose": _composing,
    "copy": _copying,
    "copy_empty_like": _emptying,
    "_push_scope": _pushing,
    "_pop_scope": _popping,
    "_pop_previous_instruction_in_scope": _reopening,
}


def _hooked(name: str) -> Method:
    """The hook in the place of a method, as it is now."""
    hook, original = HOOKS[name], getattr(qiskit.QuantumCircuit, name)

    @wraps(original)
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return hook(original, self, *args, **kwargs)

    return method


@contextlib.contextmanager
def trace() -> Iterator[None]:
    """Plain Qiskit circuits that are built inside the block know their source lines."""
    owner = qiskit.QuantumCircuit
    originals = {name: getattr(owner, name) for name in HOOKS}
    for name in HOOKS:
        setattr(owner, name, _hooked(name))
    try:
        yield
    finally:
        for name, original in originals.items():
            setattr(owner, name, original)


class QuantumCircuit(qiskit.QuantumCircuit):  # type: ignore[misc]
    """Qiskit's circuit, plus marks and source positions."""

    def mark(self, name: str) -> None:
        """Name this program point; a full-width labelled barrier, so that it survives copying and saving."""
        checked_name("name", name)
        self.barrier(label=name)


for _name in HOOKS:
    setattr(QuantumCircuit, _name, _hooked(_name))
