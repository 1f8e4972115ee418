"""Explicit-state CTL over labelled graphs, and the NuSMV adapter."""

from qismc.ctl.evaluation import Evaluation, evaluate
from qismc.ctl.graph import Graph

__all__ = ["Evaluation", "Graph", "evaluate"]
