"""Statements become locations and edges."""
