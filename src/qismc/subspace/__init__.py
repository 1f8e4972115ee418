"""Reached subspaces, propositions, and the engines that compute with them."""
