"""Engines compute with vectors: exact ones over finite fields, floating point on trains and arrays."""
