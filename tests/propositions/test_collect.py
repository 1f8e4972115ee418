"""What need not be looked at needs nothing."""

from __future__ import annotations

import pytest

from qismc.numbers.needs import AngleSurvey, Needs
from qismc.program.gates import FORMULAS, base_matrix
from qismc.program.operators import Base
from qismc.propositions.states import letter


@pytest.mark.parametrize("name", [name for name, (_, angles, _) in FORMULAS.items() if not angles])
def test_gates_without_angles_need_nothing(name: str) -> None:
    needs, survey = Needs(), AngleSurvey()
    base_matrix(Base(name), needs)
    base_matrix(Base(name), survey)
    assert needs == Needs()
    assert survey == AngleSurvey()


def test_letters_need_nothing() -> None:
    needs = Needs()
    for name in "01+-rl":
        letter(needs, name)
    assert needs == Needs()
