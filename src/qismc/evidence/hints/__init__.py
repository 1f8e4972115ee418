"""Hints at causes: each one is derived from the solved system, and says how."""
