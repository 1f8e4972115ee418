"""The words that options take: known to the command line before anything else is loaded."""

from __future__ import annotations

from typing import Literal, get_args

Method = Literal["auto", "graph", "levels", "stabiliser"]
METHODS: tuple[Method, ...] = get_args(Method)
"""How formulas are decided."""
Numbers = Literal["auto", "exact", "float"]
NUMBERS: tuple[Numbers, ...] = get_args(Numbers)
"""What amplitudes are."""
ENGINES = ("auto", "exact", "float", "stabiliser")
Paths = Literal["feasible", "all"]
PATHS: tuple[Paths, ...] = get_args(Paths)
Order = Literal["auto", "natural"]
ORDERS: tuple[Order, ...] = get_args(Order)
Store = Literal["auto", "explicit", "levels"]
STORES: tuple[Store, ...] = get_args(Store)
Ctl = Literal["builtin", "nusmv"]
CTLS: tuple[Ctl, ...] = get_args(Ctl)
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
