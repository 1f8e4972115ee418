"""QPY files. Qiskit's own native reader ends the process where it cannot allocate a damaged size."""

from __future__ import annotations

import faulthandler
import io
import os
import signal
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from qismc.common.files import reason_of
from qismc.common.loading import loading
from qismc.common.process import MIB, bound_address_space
from qismc.errors import ProgramError, Undecided, UsageError
from qismc.program.foreign import said
from qismc.program.program import Program

ROOM_MB, ROOM_SHARE = 500.0, 200.0
"""Address space of the trial process: megabytes for a start, and bytes per byte of the file.

A damaged file may state any size, and memory of that size is asked for."""
TRIAL_SECONDS, SECONDS_PER_MB = 60, 60
"""After these seconds, and these more per megabyte, an alarm ends the trial process."""
LONGEST_ANSWER = 2_000
"""Maximum length of the trial's answer, in bytes: a pipe takes it at once."""
READABLE = b"\0"
FORK_WARNING = r".*multi-threaded, use of fork"
NO_ANSWER = "Qiskit's reader gives no answer; a size in the file may be damaged or too large"


def read_qpy(path: Path, data: bytes) -> Program:
    """The one circuit of a file. Where processes can be forked, one of them reads it first."""
    with loading():
        from qiskit import qpy  # noqa: PLC0415 - Qiskit is slow to load

        from qismc.program.from_qiskit import read_circuit  # noqa: PLC0415 - Qiskit is slow to load

    try:
        answer = _tried(lambda: qpy.load(io.BytesIO(data)), len(data) / MIB)
    except OSError as error:
        raise UsageError(f"'{path}' cannot be read in a process of its own: {reason_of(error)}") from None
    if answer != READABLE:
        raise _unreadable(path, answer.decode(errors="replace") or NO_ANSWER)
    try:
        circuits = qpy.load(io.BytesIO(data))
    except (Undecided, KeyboardInterrupt):
        raise
    except BaseException as error:  # the reader of a broken file fails in many ways, and panics
        raise _unreadable(path, said(error)) from None
    if len(circuits) != 1:
        raise ProgramError(f"'{path}' holds {len(circuits)} circuits", hint="save one circuit per file")
    return read_circuit(circuits[0], circuits[0].name or path.name)


def _unreadable(path: Path, why: str) -> ProgramError:
    return ProgramError(f"'{path}' is not a readable QPY file: {why}")


def _tried(read: Callable[[], object], megabytes: float) -> bytes:
    """What a forked process says: READABLE, its error, or nothing if it was ended; raises OSError.

    It is ended when this process is interrupted. Signals wait until both know what to do.
    """
    if not hasattr(os, "fork"):
        return READABLE
    receiver, sender = os.pipe()
    child, before = 0, signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGALRM))
    with open(receiver, "rb", 0) as answers, open(sender, "wb", 0) as answering:  # noqa: PTH123
        try:
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", FORK_WARNING)  # locks of other threads: there is the alarm
                child = os.fork()
            if child == 0:
                _try(read, megabytes, sender)
            answering.close()
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            return answers.read(LONGEST_ANSWER) or b""
        finally:
            if child:
                with suppress(OSError):  # somebody else may wait for all processes
                    os.kill(child, signal.SIGKILL)
                    os.waitpid(child, 0)
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _try(read: Callable[[], object], megabytes: float, sender: int) -> None:
    """In the forked process, which ends here."""
    try:
        import fcntl  # noqa: PLC0415 - there is none on Windows

        sender = fcntl.fcntl(sender, fcntl.F_DUPFD, 3)  # it is a standard stream where those are closed
        answer = READABLE
        try:
            _enclose(megabytes)
            read()
        except BaseException as error:  # and panics
            answer = said(error).encode(errors="replace")[:LONGEST_ANSWER]
        os.write(sender, answer)
    finally:
        os._exit(0)


def _enclose(megabytes: float) -> None:
    """Bound time and address space; no streams, no core dump. Ctrl-C stays blocked."""
    import resource  # noqa: PLC0415 - there is none on Windows

    faulthandler.disable()  # it may have a stream of its own
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGALRM,))
    signal.alarm(TRIAL_SECONDS + int(SECONDS_PER_MB * megabytes))
    most = resource.getrlimit(resource.RLIMIT_CORE)[1]
    resource.setrlimit(resource.RLIMIT_CORE, (1 if most else 0, most))  # 0 still dumps into pipes
    bound_address_space(ROOM_MB + ROOM_SHARE * megabytes)
