"""What a check answers: verdicts with their evidence, sizes, and the question kept as data.

Results are data that other rooms fill in and show. How they are decided is in `deciders/`, how they look in
`report/`; what users get, with searches for repairs, is `api/`.
"""

from qismc.results.question import Question
from qismc.results.result import (
    NO_ENGINE,
    NO_SPECIFICATION,
    FormulaResult,
    LevelSizes,
    PropertyViolated,
    Result,
    SaysLittle,
    Statistics,
    Suggestion,
    Suggestions,
    Tried,
    summary,
)
