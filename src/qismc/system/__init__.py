"""Statements become locations and edges."""

from qismc.system.column_arrays import columns, crossed, crossings, identity
from qismc.system.edges import Application, Family, families, next_point, next_store, outcomes, roundings
from qismc.system.explorer import Course, Explorer, Hop, Node, SteeredExplorer, Waypoint
from qismc.system.flow import StraightRuns, all_bits, leaders, live_bits, successors
from qismc.system.stretch import LONG, Layout, Stretch, layout_of
from qismc.system.transition import (
    Backdrop,
    Location,
    LocationKey,
    TransitionSystem,
    names_of,
    points_of,
    selects,
)
