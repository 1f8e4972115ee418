"""Where transpiled circuits keep the qubits of the original."""

from __future__ import annotations

import io

import pytest
import qiskit
from qiskit import QuantumCircuit, QuantumRegister, qpy, transpile
from qiskit.circuit import Qubit
from qiskit.transpiler import CouplingMap, Layout

from qismc.program import read_program
from qismc.program.rewriting import PARTNERS, beside_idle
from qismc.program.virtual import Moment, Virtual, moment_of

LINE = CouplingMap.from_line(5)


def virtual_of(circuit: QuantumCircuit, **options: object) -> Virtual:
    found = read_program(transpile(circuit, coupling_map=LINE, seed_transpiler=1, **options)).virtual
    assert found is not None
    return found


def star(*registers: QuantumRegister | list[Qubit]) -> QuantumCircuit:
    """Every qubit meets every other, which a line cannot do without routing."""
    circuit = QuantumCircuit(*registers)
    for a in range(circuit.num_qubits):
        for b in range(a):
            circuit.cx(a, b)
    return circuit


def test_a_chosen_layout_is_read_back() -> None:
    data, rest = QuantumRegister(2, "data"), QuantumRegister(1, "rest")
    circuit = QuantumCircuit(data, rest)
    circuit.cx(0, 1)
    layout = Layout({data[0]: 3, data[1]: 4, rest[0]: 0})
    found = virtual_of(circuit, initial_layout=layout, optimization_level=0)
    places = {"data": (3, 4), "rest": (0,)}
    assert found == Virtual(places, places, still=True, moved=((3, 3), (4, 4), (0, 0)))
    assert found.places(None) == found.first


@pytest.mark.parametrize("level", range(4))
def test_start_and_end_are_those_of_qiskit(level: int) -> None:
    circuit = star(QuantumRegister(2, "data"), QuantumRegister(2, "rest"))
    compiled = transpile(circuit, coupling_map=LINE, optimization_level=level, seed_transpiler=1)
    found = read_program(compiled).virtual
    assert found is not None and not found.still and found.places(None) is None
    for moment, index in (
        (Moment.START, compiled.layout.initial_index_layout(filter_ancillas=True)),
        (Moment.END, compiled.layout.final_index_layout(filter_ancillas=True)),
    ):
        assert found.places(moment) == {"data": tuple(index[:2]), "rest": tuple(index[2:])}


def test_names_of_the_transpiled_circuit_stay_its_own() -> None:
    found = virtual_of(star(QuantumRegister(2, "q"), QuantumRegister(1, "virtual_q")))
    assert set(found.first) == {"virtual_virtual_q", "virtual_q"}
    assert len(found.first["virtual_q"]) == 1
    assert set(found.first["virtual_q"]).isdisjoint(found.first["virtual_virtual_q"])


def test_without_a_device_the_registers_are_those_of_the_circuit() -> None:
    circuit = QuantumCircuit(QuantumRegister(2, "data"), QuantumRegister(1, "rest"))
    circuit.x(0)
    circuit.swap(0, 2)
    compiled = transpile(circuit, basis_gates=["x", "cx"], optimization_level=2)
    assert compiled.layout is not None
    assert read_program(compiled).virtual == Virtual(
        {"virtual_data": (0, 1), "virtual_rest": (2,)},
        {"virtual_data": (2, 1), "virtual_rest": (0,)},
        still=False,
        moved=((0, 2), (1, 1), (2, 0)),
    )


@pytest.mark.skipif(qiskit.__version__.startswith("2.0."), reason="its QPY damages layouts")
def test_qpy_keeps_the_names() -> None:
    compiled = transpile(
        star(QuantumRegister(2, "data"), QuantumRegister(2, "rest")), coupling_map=LINE, seed_transpiler=0
    )
    file = io.BytesIO()
    qpy.dump(compiled, file)
    file.seek(0)
    found = read_program(qpy.load(file)[0]).virtual
    assert found is not None and found == read_program(compiled).virtual


def test_loose_qubits_have_numbers() -> None:
    found = virtual_of(star(QuantumRegister(2, "data"), [Qubit()]))
    assert set(found.first) == {"data", "qubit2"}


def test_partners_take_no_virtual_name() -> None:
    compiled = transpile(star(QuantumRegister(2, "ref")), coupling_map=LINE)
    wider = beside_idle(read_program(compiled), PARTNERS, 1)
    assert wider.quantum_registers["ref_"] == (wider.num_qubits - 1,)


def test_plain_circuits_have_none() -> None:
    assert read_program(star(QuantumRegister(2, "q"))).virtual is None


def test_only_the_end_is_visited_once() -> None:
    assert moment_of("leaf") is Moment.END
    assert moment_of("init") is moment_of("here") is moment_of(0) is None
