"""Distributions of registers as text, JSON, HTML and pictures."""
