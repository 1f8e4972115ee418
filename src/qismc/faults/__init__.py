"""Faults: a program in which the environment may inject Pauli errors and flip readouts."""
