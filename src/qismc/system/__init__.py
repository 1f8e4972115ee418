"""The transition system: statements become locations (program point, classical store) and edges.

Control flow, live bits, runs of gates as columns, nodes that are made when an execution arrives, and the
numbered system at the end. No vectors: what states do on the edges is in `fixpoint/`.
"""

from qismc.system.edges import Family, families, next_point, next_store, outcomes, roundings
from qismc.system.explorer import At, Course, Explorer, Hop, Node, SteeredExplorer, Waypoint
from qismc.system.flow import all_bits, live_bits, records_at_the_end, runs_of, successors
from qismc.system.gates import (
    LONG,
    Application,
    Layout,
    Stretch,
    columns,
    crossed,
    crossings,
    identity,
    layout_of,
)
from qismc.system.transition import Backdrop, Location, LocationKey, TransitionSystem, names_of, points_of
