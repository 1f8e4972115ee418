"""The words that options take: known to the command line before anything else is loaded."""

from __future__ import annotations

from typing import Literal

ENGINES = ("auto", "exact", "float", "stabiliser")
Paths = Literal["feasible", "all"]
PATHS: tuple[Paths, ...] = ("feasible", "all")
Order = Literal["auto", "natural"]
ORDERS: tuple[Order, ...] = ("auto", "natural")
Store = Literal["auto", "explicit", "levels"]
STORES: tuple[Store, ...] = ("auto", "explicit", "levels")
Ctl = Literal["builtin", "nusmv"]
CTLS: tuple[Ctl, ...] = ("builtin", "nusmv")
FORMATS = ("text", "dot", "svg", "html", "json")
"""Of pictures of transition systems."""
