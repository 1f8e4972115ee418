"""Every error that QisMC raises on purpose.

Two families: `QismcError` means that the input is wrong or unsupported (exit status 2), `Undecided`
means that the input is fine but the question could not be answered (verdict UNKNOWN, exit status 3).
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from qismc.common.source import Source


class QismcError(Exception):
    """The input is wrong; the message says what, where and what to do."""

    def __init__(self, message: str, *, source: Source | None = None, hint: str | None = None) -> None:
        self.message = message
        self.source = source
        self.hint = hint
        super().__init__(str(self))

    def __str__(self) -> str:
        where = f"{self.source}: " if self.source is not None else ""
        return f"{where}{self.message}" + (f" ({self.hint})" if self.hint else "")


class ProgramError(QismcError):
    """The program is malformed."""


class UnsupportedError(ProgramError):
    """The program is valid, but it uses something that QisMC cannot express."""


class SpecError(QismcError):
    """A formula, a subspace or an option of the specification is malformed."""


class UsageError(QismcError):
    """An argument of the Python interface or of the command line is wrong."""


class Undecided(Exception):  # noqa: N818 - it is an outcome of a check, not a mistake of the user
    """The question has no answer within what we can compute; becomes the verdict UNKNOWN(reason)."""

    kind = "undecided"

    def __init__(self, reason: str, *, hint: str | None = None) -> None:
        self.reason = reason
        self.hint = hint
        super().__init__(str(self))

    def __str__(self) -> str:
        return f"{self.kind}: {self.reason}" + (f"; {self.hint}" if self.hint else "")


class LimitReached(Undecided):
    """A limit of time, memory, locations or dimension was hit."""

    kind = "limit"


class Interrupted(Undecided):
    """The user stopped the check."""

    kind = "interrupted"


class Stopped(KeyboardInterrupt):
    """Ctrl-C at the command line, which a user's module cannot raise by itself."""


TOO_SMALL = "floating point cannot tell whether a number that is not zero for generic angles is zero or tiny"
ANGLES_AS_WRITTEN = "write angles as multiples of pi or as short decimals"
"""What helps where angles without a known form leave something in doubt."""


class NumericDoubt(Undecided):
    """A floating-point rank decision fell between the zero tolerance and the clear threshold."""

    kind = "numeric"


class NumbersDisagree(NumericDoubt):
    """What an exact engine assumed about numbers is wrong: floating point must decide."""


class NoCompactForm(Undecided):
    """A subspace has no representation that we can handle at this size."""

    kind = "form"


class UnluckyDraw(Undecided):
    """Two primes disagree, or random points misled: run again with another seed."""

    kind = "prime"


class Unrecognised(Exception):  # noqa: N818 - control flow between engines, never shown to users
    """A number has no exact form that we know; the float engine must take over."""

    def __init__(self, number: complex, what: str | None = None) -> None:
        self.what = what or f"{number:.12g}"
        super().__init__(f"{self.what} has no recognised exact form")


class at_source:  # noqa: N801 - read as a function
    """Errors of the specification that do not know their place get this one."""

    def __init__(self, source: Source | None) -> None:
        self._source = source

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if isinstance(error, SpecError) and self._source is not None and error.source is None:
            raise SpecError(error.message, source=self._source, hint=error.hint) from None


def suggestion(word: str, known: Iterable[str]) -> str | None:
    """`did you mean 'leaf'?` for the known name nearest to `word`, if one is near."""
    near = get_close_matches(word, sorted(set(known)), n=1, cutoff=0.6)
    return f"did you mean '{near[0]}'?" if near else None
