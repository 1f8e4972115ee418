"""Subspaces as users mean them: from texts and objects to propositions, to vectors that span them, to tests.

Here belong descriptions of states and subspaces that no engine has seen yet, their names and starts (`Scope`,
`read_start`), the numbers that they use, spanning vectors, and membership. Formulas over several subspaces
belong into `questions`, the syntax of subspaces into `language`.
"""

from qismc.propositions.codes import stabiliser_generators
from qismc.propositions.collect import (
    Recorder,
    UnrecognisedAt,
    keeps_members,
    keeps_spanning,
    needs_of,
    note_all,
)
from qismc.propositions.membership import Membership
from qismc.propositions.propositions import (
    Join,
    Meet,
    Nothing,
    Perp,
    Proposition,
    SpanOf,
    Stabilised,
    Support,
    Whole,
    has_complement,
    perp,
    proposition_text,
    relabel,
    states_of,
    support,
)
from qismc.propositions.reading import NumberReading, Replaced, number_text
from qismc.propositions.resolving import (
    Qubits,
    Scope,
    check_kind,
    meaning_text,
    natural_width,
    resolve,
    resolve_tree,
    seed_of,
)
from qismc.propositions.spanning import START, Extent, expand, extent, spanning
from qismc.propositions.start import ANY, inputs_of, qubit_list, read_start
from qismc.propositions.states import (
    KetSum,
    Listed,
    Prepared,
    Recorded,
    State,
    letter,
    make,
    normalised,
    zeros,
)
from qismc.propositions.subspace import (
    WRITTEN_AS_POWER,
    Subspace,
    Term,
    amplitude_text,
    ket_text,
    reduced_basis,
)
from qismc.propositions.virtual_qubits import (
    at_the_end,
    captured,
    check_moving,
    names_virtual,
    parts_within,
    subspace_of,
)
