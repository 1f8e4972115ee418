"""Campaigns: which faults does a specification notice?"""

from qismc.campaigns.mutant import LIMITS, MutantResult
from qismc.campaigns.running import COUNT, PRELOAD, Unsuitable, campaign, dask_pool, mutants, named, rows
from qismc.campaigns.table import report
