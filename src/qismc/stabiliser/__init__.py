"""Clifford programs with Pauli feed-forward: stabiliser groups whose signs are functions of the outcomes."""
