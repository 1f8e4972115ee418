"""Errors in a specification's text: where they are, what they look like, what to write instead."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from qismc.common.source import Source
from qismc.errors import SpecError

WINDOW = 100
"""Maximum number of characters of a line that an error quotes."""
MOST_EXPANDED = 10_000_000
"""Maximum number of letters of all kets of a text, products and names such as |W9> written out."""


@dataclass
class SpecText:
    """A text under analysis; `source` is where its first character stands in the user's file."""

    text: str
    source: Source | None = None
    _expanded: int = 0
    """Number of letters of kets so far."""

    def expand(self, position: int, letters: int) -> None:
        """Count the letters of kets that a text stands for; raises SpecError if they are too many."""
        self._expanded += letters
        if self._expanded > MOST_EXPANDED:
            raise self.error(position, f"kets of more than {MOST_EXPANDED:,} letters all together")

    def error(self, position: int, message: str, hint: str | None = None) -> SpecError:
        """The error at a character position, with the line and a caret under it."""
        before = self.text[:position]
        row, column = before.count("\n"), position - (before.rfind("\n") + 1)
        line = self.text.split("\n")[row]
        start = max(0, column - WINDOW // 2)
        picture = f"\n    {line[start : start + WINDOW].expandtabs(1)}\n    {' ' * (column - start)}^"
        if self.source is None:
            return SpecError(f"line {row + 1}, column {column + 1}: {message}{picture}", hint=hint)
        shift = (self.source.column or 1) - 1 if row == 0 else 0
        place = Source(self.source.file, self.source.line + row, column + 1 + shift)
        return SpecError(message + picture, source=place, hint=hint)


LOOK_ALIKES = {
    **dict(zip("АВЕІКМНОРСТХаеіорсухѕј", "ABEIKMHOPCTXaeiopcyxsj", strict=True)),  # Cyrillic
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοι", "ABEZHIKMNOPTYXoi", strict=True)),  # Greek
    **dict.fromkeys("∣❘｜ǀ│¦", "|"),
    **dict.fromkeys("〉❯›＞〉", ">"),
    **dict.fromkeys("−–—‐‑－", "-"),
    **dict.fromkeys("‘’′´`", "'"),
    **dict.fromkeys("“”″", '"'),
    **dict.fromkeys("⋀⋏", "∧"),
    **dict.fromkeys("⋁⋎", "∨"),
    **dict.fromkeys("⟶⇒⟹", "->"),
    **dict.fromkeys("⟷⇔⟺", "<->"),
    **dict.fromkeys("☐◻⬜", "□"),
    **dict.fromkeys("⋄♢◊", "◇"),
    **dict.fromkeys("◯⚪", "○"),
    **dict(zip("（）［］，＆！ǃ", "()[],&!!", strict=True)),
    **dict.fromkeys("∼～˜", "~"),
    **dict.fromkeys("×·⋅∗", "*"),
    **dict.fromkeys("÷∕⁄", "/"),
}
"""Characters that readers take for others, and what they probably stand for."""

WRONG_SYMBOLS = {
    "&&": "write & for conjunction",
    "||": "write | for disjunction",
    "=>": "write -> for implication",
    "<=>": "write <-> for equivalence",
    "=": "write == for comparison",
    "∈": "a proposition stands alone: write its name or its subspace",
    "√": "write sqrt(2)",
    "^": "a power needs a number before it and an integer after it",
    ";": "give several formulas as a list or a dict",
    "<": "a ket starts with |, as in |01>",
    "⊗": "write kets side by side, |0>|1>, and other subspaces as (p on a) /\\ (q on b)",
}

TOKEN_NAMES = {
    "RPAR": "')'",
    "RSQB": "']'",
    "COMMA": "','",
    "UNTIL": "U, W or R",
    "PAULI": "a Pauli string such as XZZXI",
    "INTEGER": "an integer",
    "NAME": "a name",
}
"""What the message `expected ...` says; operators that may follow anything are left out."""


def check_characters(text: SpecText) -> None:
    """Refuse empty texts and look-alike characters outside of quotes."""
    if not text.text.strip():
        raise SpecError(
            "the text is empty", source=text.source, hint="write a formula such as AG (leaf -> p)"
        )
    bare = re.sub(r"'[^'\n]+'|\"[^\"\n]+\"", lambda quoted: " " * len(quoted.group()), text.text)
    for position, character in enumerate(bare):
        if character in LOOK_ALIKES:
            name = unicodedata.name(character, "unnamed").lower()
            message = f"'{character}' is U+{ord(character):04X} ({name})"
            raise text.error(position, message, f"it looks like '{LOOK_ALIKES[character]}': write that")


def unexpected(text: SpecText, position: int, word: str, expected: Iterable[str]) -> SpecError:
    """The error for a word that no rule of the grammar allows at this place."""
    rest, before = text.text[position:], text.text[:position]
    hint = _hint(before, rest, set(expected))
    if not rest.strip():
        return text.error(len(text.text.rstrip()), "the text ends too early", hint)
    return text.error(position, f"unexpected '{word}'", hint)


def _hint(before: str, rest: str, expected: set[str]) -> str | None:
    for rule in RULES:
        if (hint := rule(before, rest)) is not None:
            return hint
    names = [TOKEN_NAMES[token] for token in sorted(expected & TOKEN_NAMES.keys())]
    if {"NAME", "KET"} <= expected:
        return "expected a formula or subspace"
    if names:
        return f"expected {' or '.join(names)}"
    return "the text before it is complete: give several formulas as a list or a dict"


ENGLISH = {
    "always": "AG p: on all paths, always",
    "globally": "AG p: on all paths, always",
    "never": "AG !p: on all paths, never",
    "eventually": "AF p: on all paths, eventually",
    "finally": "AF p: on all paths, eventually",
    "next": "AX p: on all paths, in the next step",
    "possibly": "EF p: on some path, eventually",
}


def _english(before: str, rest: str) -> str | None:
    """Temporal operators as words."""
    word = re.search(r"(?<!\w)([a-z]+)\s*\(?\s*$", before, re.IGNORECASE)
    meant = None if word is None or not rest.strip() else ENGLISH.get(word.group(1).lower())
    return None if meant is None else f"write {meant}"


def without_quantifier(rest: str) -> str | None:
    """`G (…)`, `F (…)`, `always (…)`: habits of other languages."""
    word = re.match(r"([a-z]+)[\s(]", rest, re.IGNORECASE)
    if word is not None and word[1].lower() in ENGLISH:
        return f"write {ENGLISH[word[1].lower()]}"
    found = re.match(r"([GFX])\s*\(", rest)
    return None if found is None else f"write A{found[1]} for all paths, E{found[1]} for some path"


def chance_as_function(before: str) -> str | None:
    """`P(c == 0) >= 0.5`."""
    return "write P>=1/2 [F leaf & c == 0]" if re.search(r"(?<!\w)P\s*\(\s*$", before) else None


def _bad_ket(before: str, rest: str) -> str | None:
    if re.search(r"\w\s*\|[01+\-rl]*->\s*$", before):
        return "this was read as a ket: write blanks around | and ->"
    tail = "|" + rest if before.rstrip().endswith("|") and not rest.startswith("|") else rest
    ket = re.match(r"\|\s*([^|>⟩()&]*)[>⟩]", tail)
    if ket is None:
        return None
    body = ket.group(1).strip()
    if re.fullmatch(r"[^\W\d_]\w+|[φψΦΨ]\w*", body) and not re.fullmatch(r"[rl]+", body):
        named = "|Phi+> |Phi-> |Psi+> |Psi-> |GHZ3> |W3> have names"
        return f"{named}; for a state of your own define a proposition and write {body} without | and >"
    if "^{" in body or "..." in body or "…" in body:
        return "write repeated letters as in |0^100> or |0^4 1 0^5>"
    letters = re.sub(r"\^\d+\s*|\s+(?=[01])", "", body)
    wrong = re.search(r"[^01+\-rl]", letters)
    offender = f"'{wrong.group()}' is no letter of a ket: " if wrong else ""
    return f"{offender}kets are written with 0 1 + - r l, as in |01+-> or |0^100>"


def _wrong_symbol(before: str, rest: str) -> str | None:
    for symbol in sorted(WRONG_SYMBOLS, key=len, reverse=True):
        if rest.startswith(symbol) or (len(symbol) > 1 and (before[-1:] + rest).startswith(symbol)):
            return WRONG_SYMBOLS[symbol]
    return None


def _unbalanced(before: str, rest: str) -> str | None:
    stack: list[str] = []
    for character in re.sub(r"'[^'\n]+'|\"[^\"\n]+\"", "", before):
        if character in "([":
            stack.append(character)
        elif character in ")]" and stack:
            stack.pop()
    if rest[:1] in (")", "]") and not stack:
        return f"nothing is open that '{rest[0]}' could close"
    if rest[:1] in (")", "]") and "([".index(stack[-1]) != ")]".index(rest[0]):
        return f"the innermost open bracket is '{stack[-1]}'"
    return f"'{stack[-1]}' is not closed" if stack and not rest.strip() else None


Rule = Callable[[str, str], str | None]
"""A hint, if it fits what stands before the place of the error and what follows."""


def _where(hint: str, before: str = "", rest: str = "") -> Rule:
    """The hint if one regular expression is found before the place, and the other one fits what follows."""
    return lambda b, r: hint if re.search(before, b) and re.match(rest, r) else None


LATEX = "LaTeX is not read: write |00>, sqrt(1/2), 1/2, /\\"
BRACKETS = "until needs brackets: A[p U q], E[p W q], A[p R q]"
CHANCE = "write P=1 [F p], P>=0.9 [p U q] or P=? [F p]"
TILDE = "~ is the orthocomplement of a subspace; to negate a formula write !"
FORMULA = r"[AE][XFG](?!\w)|[AE]\s*\[|[∀∃!¬]|P\s*[=<>≤≥]|not(?!\w)"
"""How a formula begins that is no subspace."""
RULES: tuple[Rule, ...] = (
    _where(LATEX, rest=r"\\[a-zA-Z]"),
    _where(LATEX, before=r"\\[a-zA-Z]+$"),
    _where("the imaginary unit is i: 0.8*i", before=r"\d$", rest=r"[jJ](?![a-zA-Z])"),
    _english,
    _where(BRACKETS, before=r"(?<!\w)[AE∀∃]\s*\(?\s*$"),
    _where(BRACKETS, rest=r"[UWR](?!\w)"),
    _where(TILDE, before=r"~\s*P\s*[<>≤≥][^\[]*$"),
    _where(
        "put the number in parentheses: P>=(1/pi) [F p]",
        before=r"(?<!\w)P\s*[<>≤≥][^\[]*(pi|π|i)\s*\[\s*$",
    ),
    _where(CHANCE, before=r"(?<!\w)P\s*[<>]?=?\s*[\d.]+\s*$"),
    _where(CHANCE, before=r"(?<!\w)P\s*$"),
    _bad_ket,
    _where("write the end of the slice, as in q[1:3]", before=r"\[\s*\d*\s*:\s*$", rest=r"\]"),
    _where(
        "members are counted from 0, not from the end",
        before=r"[\w'\"]\[\s*(\d+\s*:\s*)?$",
        rest=r"-\s*\d",
    ),
    _where(TILDE, before=r"~\s*[AE]\s*\[\s*$"),
    _where(TILDE, before=r"~\s*$", rest=FORMULA),
    _where(
        "/\\ and \\/ combine subspaces; to combine formulas write & and |",
        before=r"(/\\|\\/)\s*$",
        rest=FORMULA,
    ),
    _where(
        "inside span(…) put parentheses around it",
        before=r"span\s*\([^()]*$",
        rest=r"on(?!\w)|/\\|\\/|~",
    ),
    _wrong_symbol,
    _unbalanced,
)
"""The first one that fits is shown."""
