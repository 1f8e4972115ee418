"""Strongest post-conditions and weakest pre-conditions, with provenance."""
