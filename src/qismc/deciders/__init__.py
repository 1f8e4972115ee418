"""Formulas decided on the graph, on levels or on stabilisers, whichever store and engine fit."""

from qismc.deciders import pipeline
from qismc.deciders.confirmation import worded
from qismc.deciders.graph import nusmv_model, truth_in
from qismc.deciders.levels import exact_engine, task
from qismc.deciders.likely_on_levels import check_likely
from qismc.deciders.pipeline import check, check_model
from qismc.deciders.stabilisers import SIMULATED_QUBITS, true_on_stabilisers
