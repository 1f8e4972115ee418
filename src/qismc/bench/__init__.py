"""Benchmarks: circuits with known verdicts."""
