"""Formulas decided on the graph, on levels or on stabilisers, whichever store and engine fit."""
