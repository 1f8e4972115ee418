"""Subspaces as users mean them: from texts and objects to propositions, to vectors that span them, to tests.

Here belong descriptions of states and subspaces that no engine has seen yet, their names and starts (`Scope`,
`read_start`), the numbers that they use, spanning vectors, and membership. Formulas over several subspaces
belong into `questions`, the syntax of subspaces into `language`.
"""

from qismc.propositions.collect import Recorder, UnrecognisedAt, needs_of, note_all
from qismc.propositions.digest import meaning_text, proposition_text, seed_of
from qismc.propositions.expansion import Extent, expand, extent, stabiliser_generators
from qismc.propositions.kets import WRITTEN_AS_POWER, Term, amplitude_text, ket_text
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
    relabel,
    support,
)
from qismc.propositions.reading import NumberReading, Replaced, number_text
from qismc.propositions.resolving import Qubits, Scope, check_kind, natural_width, resolve, resolve_tree
from qismc.propositions.spanning_vectors import START, spanning
from qismc.propositions.special_angles import keeps_members, keeps_spanning
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
from qismc.propositions.subspace import Subspace, echelon
from qismc.propositions.virtual_qubits import at_the_end, captured, check_moving, names_virtual, subspace_of
