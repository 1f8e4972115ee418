"""What a check answers: verdicts with their evidence, sizes, and the question kept as data."""

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
