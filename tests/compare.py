"""Lays a solved model beside the reference."""

from __future__ import annotations

import numpy as np

from qismc import Model, Subspace
from qismc.program.statements import Jump

from .reference import Matrix, Path, Place, Walker, complement, nothing, same, span
from .toy import Block, Toy, arms


def paths(block: Block, prefix: Path = ()) -> list[Path]:
    """The paths of all statements, in the order of the text."""
    found: list[Path] = []
    for k, statement in enumerate(block):
        found.append((*prefix, k))
        for number, arm in enumerate(arms(statement)):
            found += paths(arm, (*prefix, k, number))
    return found


def points(toy: Toy, model: Model) -> dict[int, Path]:
    """Flat code keeps the order of the text; jumps are no statements, nor are marks that name another one."""
    visible = [p for p, statement in enumerate(model.program.code) if not isinstance(statement, Jump)]
    walker = Walker(toy)
    steps = [path for path in paths(toy.body) if walker.settled(path) == path]
    return dict(zip(visible, [*steps, walker.end], strict=True))


def places(toy: Toy, model: Model) -> list[Place]:
    """The reference's name of each location of the model."""
    path = points(toy, model)
    return [(path[location.point], location.values["c"]) for location in model.locations]


def columns(subspace: Subspace) -> Matrix:
    """A subspace of the float engine as an orthonormal basis."""
    size = 2**subspace.num_qubits
    vectors = [np.asarray(v, dtype=complex) / np.linalg.norm(v) for v in subspace.vectors]
    basis = span(np.array(vectors).T) if vectors else nothing(size)
    return complement(basis) if subspace.complemented else basis


def agrees(subspace: Subspace, expected: Matrix) -> bool:
    """Equal dimensions for every engine, and equal subspaces where the vectors are numbers."""
    if subspace.dimension != expected.shape[1]:
        return False
    return subspace.engine.name != "float" or same(columns(subspace), expected)
