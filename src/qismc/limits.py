"""Limits of a check, and the numbers that decide floating-point questions."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from qismc.common.process import MIB, MOST_BYTES, resident_memory_mb
from qismc.common.wording import quoted
from qismc.errors import LimitReached, NumericDoubt, UsageError

LOOK_SECONDS = 0.005
"""The size of the process is asked for no more often."""
MORE_TIME = "raise the time limit"
MORE_MEMORY = "raise the memory limit"


@dataclass(frozen=True)
class Limits:
    """What a check may use; None means no limit. Past a limit the verdict is UNKNOWN(limit)."""

    seconds: float | None = None
    memory_mb: float | None = None
    """Of the resident size of this process, Python and Qiskit included."""
    locations: int = 1_000_000
    dimension: int = 1 << 16
    """The largest dimension of one location's reached subspace."""

    @property
    def memory_bytes(self) -> int | None:
        """The limit of memory as the system counts it."""
        if self.memory_mb is None or not self.memory_mb * MIB < MOST_BYTES:
            return None
        return int(self.memory_mb * MIB)

    def __post_init__(self) -> None:
        for name in ("seconds", "memory_mb", "locations", "dimension"):
            value = getattr(self, name)
            if value is None and name in ("seconds", "memory_mb"):
                continue
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise UsageError(f"limit {name} = {quoted(value)} is no number")
            if isinstance(value, int) and value > sys.float_info.max:
                raise UsageError(f"limit {name} = {quoted(value)} is too large", hint="None is no limit")
            if not value > 0:
                raise UsageError(f"limit {name} = {quoted(value)} must be positive")


UNLIMITED = Limits()
"""What holds where nothing was asked for."""


@dataclass(frozen=True)
class Tolerance:
    """Lengths of vectors of unit scale: up to `zero` is zero, from `clear` on is not; between is doubt."""

    zero: float = 1e-9
    clear: float = 1e-6
    squared_zero: float = 1e-13
    squared_clear: float = 1e-10
    """The same for squared lengths that are differences of inner products (complex trains): rounding leaves
    an error of about 1e-16 in the square, so a length cannot be told from zero below about 1e-7."""
    measured: float = 0.0
    """If positive, what squares call zero is measured as the length of a difference, which takes longer, and
    is zero up to this."""
    cut: float = 1e-15
    """Trains may drop this part of a state: no more than what rounding leaves by itself."""

    @property
    def squared(self) -> Tolerance:
        """The tolerance for such squares."""
        return Tolerance(self.squared_zero, self.squared_clear)

    def is_zero(self, length: float, question: str) -> bool:
        """Decide length = 0; a length in the grey band, or one that is no number, raises NumericDoubt."""
        if length <= self.zero:
            return True
        if length >= self.clear:
            return False
        if math.isnan(length):
            raise NumericDoubt(f"{question}? Rounding left no number to decide it")
        raise NumericDoubt(
            f"{question}? A residual of {length:.1e} lies between {self.zero:g} (zero) "
            f"and {self.clear:g} (not zero)",
            hint="write angles as multiples of pi, and numbers as fractions and square roots",
        )


STRICT = Tolerance(zero=1e-11, measured=1e-11)
"""Where floating point decides in the place of exact numbers: what relations between angles make zero is
rounding, and what is larger is in doubt."""
REPLAYS = Tolerance(cut=1e-12)
"""Where executions are computed again: trains stay smaller. Improbable ones are computed more carefully."""


def out_of_time(limits: Limits, stage: str) -> LimitReached:
    """Quotes the limit that was asked for, whoever noticed."""
    return LimitReached(f"the time limit of {limits.seconds:g} s passed during {stage}", hint=MORE_TIME)


def out_of_memory(limits: Limits, stage: str, size: str = "") -> LimitReached:
    """Quotes the limit that was asked for and the size that is too much, if it is known."""
    if limits.memory_mb is None:
        return LimitReached(f"the system gives no more memory for {stage}", hint="use a larger machine")
    asked = f"the memory limit of {limits.memory_mb:g} MB was reached during {stage}"
    return LimitReached(f"{asked} ({size})" if size else asked, hint=MORE_MEMORY)


def check_memory(limits: Limits, stage: str) -> None:
    """Raise LimitReached if this process is larger than it may be."""
    if limits.memory_mb is None:
        return
    used = resident_memory_mb()
    if used > limits.memory_mb:
        raise out_of_memory(limits, stage, f"{used:.0f} MB are in use")


@dataclass(frozen=True)
class Trial:
    """How far a store may grow before another way to keep it is tried."""

    nodes: int = 1_000
    """Nodes beyond a few for each point that control reaches."""
    dimension: int = 64
    """Where more arrive, the trial ends, but not before that has cost about as much as the way there: many
    programs measure everything at their end."""
    patient: bool = True
    """Do many that arrive cost no more later than they did on their way? Effects on them cost the cube."""
    seconds: float = math.inf
    """And how long: vectors may be dear where nodes are few."""
    elsewhere: Callable[[], bool] = lambda: True
    """Is there another way? Asked when the trial is over; if there is none, it goes on without an end."""


NUMERIC_TRIAL = Trial(100, 16, patient=False)
"""Where probabilities are computed with numbers: each location costs ten times as much."""
STATEMENTS_PER_ARRIVAL = 8
"""So many statements cost about as much as a vector that arrives among many."""


class Effort:
    """Scalar operations that a search may take, as far as they are counted: the same on every machine."""

    def __init__(self, most: float, why: str) -> None:
        self._left = most
        self._why = why

    def spend(self, operations: float) -> None:
        """Raise LimitReached where they are used up."""
        self._left -= operations
        if self._left < 0:
            raise LimitReached(self._why)


class StoreGrows(LimitReached):
    """A trial is over."""


class Budget:
    """A running check's account of its limits; `spend` is called inside every long loop."""

    def __init__(
        self, limits: Limits, clock: Callable[[], float] = time.monotonic, *, threads: int = 1
    ) -> None:
        self.limits = limits
        self.threads = threads
        """How many threads may compute at the same time."""
        self._clock = clock
        self._start = self._looked = clock()
        self._seconds = math.inf if limits.seconds is None else limits.seconds
        self.trial: Trial | None = None
        self._grace: int | None = None
        """How many vectors may still arrive among many before a trial is over."""
        self._tried_from = 0.0
        self.stage = "preparation"
        """What was done last, for those who watch."""
        self.locations = self.dimension = 0
        """The largest numbers that were counted."""
        self.largest: Callable[[], int] = lambda: 0
        """The size of the largest vector so far, for those who watch."""

    def restart(self) -> None:
        """Start the clock anew."""
        self._start = self._clock()

    @property
    def elapsed(self) -> float:
        return self._clock() - self._start

    @property
    def remaining_seconds(self) -> float | None:
        if self.limits.seconds is None:
            return None
        return max(0.0, self.limits.seconds - self.elapsed)

    def spend(self, stage: str) -> float:
        """The time so far; raises LimitReached when it or memory, looked at now and then, is used up."""
        self.stage = stage
        now = self._clock()
        elapsed = now - self._start
        if elapsed > self._seconds:
            raise out_of_time(self.limits, stage)
        if now - self._looked >= LOOK_SECONDS:
            self._looked = now
            check_memory(self.limits, stage)
        return elapsed

    def count_locations(self, count: int) -> None:
        self.locations = max(self.locations, count)
        if count > self.limits.locations:
            raise LimitReached(
                f"more than {self.limits.locations} locations",
                hint="raise limits.locations, or measure into fewer bits that conditions read",
            )

    def count_nodes(self, excess: int) -> None:
        """Nodes beyond what the points explain: they differ from earlier ones in their store only."""
        if self.trial is not None and excess > self.trial.nodes:
            self._end_trial(f"the explicit store makes more than {self.trial.nodes} further nodes")
        if self.trial is not None and self.elapsed - self._tried_from > self.trial.seconds:
            self._end_trial("the explicit store takes longer than others did")

    def _end_trial(self, why: str) -> None:
        trial, self.trial = self.trial, None
        if trial is not None and trial.elsewhere():
            raise StoreGrows(why)

    @contextmanager
    def trying(self, trial: Trial | None) -> Iterator[None]:
        """Within a trial, stop early."""
        self.trial, self._grace, self._tried_from = trial, None, self.elapsed
        try:
            yield
        finally:
            self.trial = None

    def count_dimension(self, dimension: int) -> None:
        self.dimension = max(self.dimension, dimension)
        if self.trial is not None and dimension > self.trial.dimension:
            if self._grace is None:
                self._grace = self.locations // STATEMENTS_PER_ARRIVAL if self.trial.patient else 0
            self._grace -= dimension
            if self._grace < 0:
                self._end_trial(f"more than {self.trial.dimension} dimensions arrive at a location")
        if dimension > self.limits.dimension:
            raise LimitReached(
                f"a location is reached by more than {self.limits.dimension} dimensions",
                hint="raise limits.dimension, or check before the final measurements",
            )


SEARCH_SECONDS = 30.0
"""A search for repairs ends after this time."""
SHORTEST_SEARCH = 0.1
"""Seconds for it where the check has used up the time of both."""


def search_seconds(timeout: float | None, elapsed: float) -> float:
    """Seconds that a search for repairs may take after a check, of those that both have together."""
    return SEARCH_SECONDS if timeout is None else max(SHORTEST_SEARCH, timeout - elapsed)


REPLAY_SECONDS = 10.0
"""So long floating-point replays and confirmations of executions may take, unless the check has less left."""
REPLAY_LIMITS = Limits(seconds=REPLAY_SECONDS)
REPLAY_SHARE = 5.0
"""A replay does about what the check did until then, also on a slow machine: so many times
that time is there for it, unless the check itself has less left."""
REPLAY_GRACE_SECONDS = 0.5
"""And so long they may always take: a check that ends just in time may show its execution."""


class ReplayBudget(Budget):
    """The time for replays, beside that of a check."""

    def __init__(self, check: Budget) -> None:
        super().__init__(REPLAY_LIMITS, threads=check.threads)
        self._check = check
        self._measured = self._is_whole = False
        self._most = self._seconds

    def follow(self) -> None:
        """Take as long as the check may: where effort is counted, no other clock ends anything."""
        self._measured, self._most = True, math.inf
        self.restart()

    def restart(self) -> None:
        """Start the clock anew; when it is first started, the check tells how long it took to come here."""
        if self._is_whole:
            return
        if not self._measured:
            self._measured = True
            share = REPLAY_SHARE * self._check.elapsed
            if share > REPLAY_SECONDS:
                self._most = share
        super().restart()
        left = self._check.remaining_seconds
        if left is not None and left < self._most:
            self._end_with_check(max(left, REPLAY_GRACE_SECONDS))
        else:
            self._seconds = self._most
            self.limits = self._check.limits if math.isinf(self._most) else Limits(seconds=self._most)

    def _end_with_check(self, seconds: float) -> None:
        """Have so many seconds, and quote the limits of the check, which has no more."""
        self.limits, self._seconds = self._check.limits, self._check._seconds
        self._start -= self._seconds - seconds

    @contextmanager
    def whole(self) -> Iterator[None]:
        """Within it there is all the time that the check has left, for what the check cannot do without."""
        before, check = (self.limits, self._seconds, self._is_whole), self._check
        self.limits, self._seconds, self._start = check.limits, check._seconds, check._start
        self._is_whole = True
        try:
            yield
        finally:
            self.limits, self._seconds, self._is_whole = before
            self.restart()
