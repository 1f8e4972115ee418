"""qCTL and subspace text to syntax trees, and back."""

from qismc.language.parser import parse_formula, parse_subspace
from qismc.language.printer import to_text

__all__ = ["parse_formula", "parse_subspace", "to_text"]
