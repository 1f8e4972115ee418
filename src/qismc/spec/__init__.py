"""qCTL and subspace text to syntax trees, and back."""

from qismc.spec.parser import parse_formula, parse_subspace
from qismc.spec.printer import to_text

__all__ = ["parse_formula", "parse_subspace", "to_text"]
