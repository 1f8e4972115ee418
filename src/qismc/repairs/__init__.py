"""Repairs: edits after which a program satisfies its specification."""
