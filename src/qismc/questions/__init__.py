"""What the names in formulas mean, and the questions that a formula asks.

Names are checked against the program before anything is computed. A formula that asks single program points
or whole executions becomes claims with questions; levels and stabilisers answer these. Answers are not
computed here.
"""

from qismc.questions.asking import NoQuestions, questions
from qismc.questions.claims import (
    Always,
    AtStart,
    Claim,
    Combination,
    Inside,
    Likely,
    Never,
    NoRun,
    OnPaths,
    Possible,
    Question,
    Reading,
    Response,
    is_existential,
    refuted_by,
    responsible,
    shown_by,
    truth,
)
from qismc.questions.formulas import Certain, is_classical, is_robust, merging_is_safe
from qismc.questions.measured import read_off
from qismc.questions.names import (
    Names,
    atoms_of,
    has_probability,
    mentions_post,
    needs_conjugates,
    probabilities,
    propositions,
    refuse_average,
)
