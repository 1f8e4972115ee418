"""Statements become locations and edges."""

from qismc.system import steered
from qismc.system.backdrop import Backdrop
from qismc.system.column_arrays import columns, crossed, crossings
from qismc.system.edges import Application, Family, families, next_point, next_store, outcomes, roundings
from qismc.system.explorer import Explorer, Hop, Node
from qismc.system.flow import Runs, all_bits, leaders, live_bits, successors
from qismc.system.identities import identity
from qismc.system.selectors import names_of, points_of, selects
from qismc.system.steered import Course, SteeredExplorer, Step
from qismc.system.stretch import LONG, Layout, Stretch, layout_of
from qismc.system.transition import Location, Place, TransitionSystem
