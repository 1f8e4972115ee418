"""Benchmarks: circuits with known verdicts, and how they are measured (`python -m benchmarks`)."""
