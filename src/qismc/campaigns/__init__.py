"""Campaigns: which faults does a specification notice?"""

from qismc.campaigns.cluster import dask_pool
from qismc.campaigns.running import PRELOAD, Unsuitable, campaign, mutants, named, rows
from qismc.campaigns.table import report
