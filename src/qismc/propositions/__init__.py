"""Subspaces as users mean them: from texts and objects to vectors, and what is inside of what."""
