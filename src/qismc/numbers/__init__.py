"""Exact numbers: recognised forms, angles over base angles, finite fields, the sizes of numbers."""
