"""Campaigns: seeded mutants of correct programs, each checked, on processes or on a cluster.

Here are mutants, their results, and the files and tables of these. Edits are made in `edits/`,
processes in `parallel/`.
"""

from qismc.campaigns.mutant import LIMITS, MutantResult
from qismc.campaigns.running import COUNT, PRELOAD, Unsuitable, campaign, dask_pool, mutants, named, rows
from qismc.campaigns.table import report
