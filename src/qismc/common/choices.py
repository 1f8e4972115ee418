"""The words that options take: known to the command line before anything else is loaded."""

from __future__ import annotations

from typing import Literal

Method = Literal["auto", "graph", "levels", "stabiliser"]
METHODS: tuple[Method, ...] = ("auto", "graph", "levels", "stabiliser")
"""How formulas are decided."""
Numbers = Literal["auto", "exact", "float"]
NUMBERS: tuple[Numbers, ...] = ("auto", "exact", "float")
"""What amplitudes are."""
ENGINES = ("auto", "exact", "float", "stabiliser")
Paths = Literal["feasible", "all"]
PATHS: tuple[Paths, ...] = ("feasible", "all")
Order = Literal["auto", "natural"]
ORDERS: tuple[Order, ...] = ("auto", "natural")
Store = Literal["auto", "explicit", "levels"]
STORES: tuple[Store, ...] = ("auto", "explicit", "levels")
Ctl = Literal["builtin", "nusmv"]
CTLS: tuple[Ctl, ...] = ("builtin", "nusmv")
METHOD_OF_STORE = {"auto": "auto", "explicit": "graph", "levels": "levels"}
FORMATS = ("text", "dot", "svg", "html", "json")
"""Of pictures of transition systems."""


def engine_and_store(method: str, numbers: str) -> tuple[str, str]:
    """What a method and numbers are called inside of the house."""
    stores = {name: store for store, name in METHOD_OF_STORE.items()}
    return (method, "auto") if method == "stabiliser" else (numbers, stores[method])


def method_and_numbers(engine: str, store: str) -> dict[str, str]:
    """What the old options `engine` and `store` are called now; defaults are left out."""
    if engine == "stabiliser":
        return {"method": engine}
    found = {"method": METHOD_OF_STORE.get(store, store), "numbers": engine}
    return {name: value for name, value in found.items() if value != "auto"}
