"""The transition system: statements become locations (program point, classical store) and edges.

Control flow, live bits, runs of gates as columns, nodes that are made when an execution arrives, and the
numbered system at the end. No vectors: what states do on the edges is in `fixpoint/`.
"""

from qismc.system.column_arrays import columns, crossed, crossings, identity
from qismc.system.edges import Application, Family, families, next_point, next_store, outcomes, roundings
from qismc.system.explorer import Course, Explorer, Hop, Node, SteeredExplorer, Waypoint
from qismc.system.flow import StraightRuns, all_bits, leaders, live_bits, successors
from qismc.system.records import records_at_the_end
from qismc.system.stretch import LONG, Layout, Stretch, layout_of
from qismc.system.transition import (
    Backdrop,
    Location,
    LocationKey,
    TransitionSystem,
    names_of,
    points_of,
)
