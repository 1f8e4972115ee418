"""Numbers: which exact form a double stands for, angles over base angles, finite fields, sizes of numbers.

Here belong number systems and small linear algebra on rows of numbers: what a field must offer (`Needs`), its
elements (`FieldScalars`), bounds on exact numbers (`Size`), the account of decisions (`Ledger`). Vectors over
qubits belong into `engines`, states and subspaces into `propositions`.
"""

from qismc.numbers.angles import AngleBook, AngleSum, Cosine, FineTurn, Radian
from qismc.numbers.element import Element
from qismc.numbers.exponents import totient
from qismc.numbers.field import FieldScalars
from qismc.numbers.forms import ComplexForm, FieldForm, NumberForm
from qismc.numbers.ledger import NOTHING_ASSUMED, Assumptions, Ledger
from qismc.numbers.needs import COARSEST, LARGEST_ORDER, PRIME_BITS, AngleSurvey, Needs
from qismc.numbers.perturbed import LARGE_TREMOR, TREMOR, MovedForm, TremblingForm
from qismc.numbers.recognise import (
    ROUNDING,
    Root,
    RootScalars,
    as_root,
    as_turn,
    is_same,
    near_turn,
    nearest_root,
    radians,
    root_value,
    square_free,
)
from qismc.numbers.rows import CoordinateRow, FloatArithmetic, Matrix, RowArithmetic, echelon, unit
from qismc.numbers.size_scalars import SizedField, SizedNumber, SizeScalars
from qismc.numbers.sizes import (
    UNIT,
    LargestProducts,
    Size,
    both,
    power,
    product,
    stacked,
    total,
)
