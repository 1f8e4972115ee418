#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "bindings/bindings.h"
#include "boolean/diagrams.h"
#include "stabiliser/tableau.h"

namespace qismc::bindings {
namespace {

namespace nb = nanobind;
using boolean::Diagrams;
using boolean::TooManyNodes;
using stabiliser::Clifford;
using stabiliser::Finding;
using stabiliser::Function;
using stabiliser::kMostQubits;
using stabiliser::Pauli;
using stabiliser::Tableau;

Clifford clifford_of(std::uint32_t width, std::vector<std::uint32_t> images,
                     std::vector<std::uint32_t> monomials) {
    if (width > kMostQubits || images.size() != 2 * width) {
        throw std::invalid_argument("a gate has at most " + std::to_string(kMostQubits) +
                                    " qubits and two images for each of them");
    }
    return {width, std::move(images), std::move(monomials)};
}

void bind_tableau(nb::module_& module) {
    nb::class_<Clifford>(module, "Clifford",
                         "Conjugation by a Clifford unitary: images of X0, Z0, X1, … as masks of the same\n"
                         "letters, and the monomials of these bits whose sum is the sign.")
        .def(
            "__init__",
            [](Clifford* self, std::uint32_t width, std::vector<std::uint32_t> images,
               std::vector<std::uint32_t> monomials) {
                new (self) Clifford(clifford_of(width, std::move(images), std::move(monomials)));
            },
            nb::arg("width"), nb::arg("images"), nb::arg("monomials"))
        .def_ro("width", &Clifford::width)
        .def_ro("images", &Clifford::images)
        .def_ro("monomials", &Clifford::monomials);
    nb::enum_<Finding>(module, "Finding", "What a measurement finds.")
        .value("fixed", Finding::fixed, "The value is decided.")
        .value("coin", Finding::coin, "A fair coin.")
        .value("open", Finding::open, "The start left it open.");
    nb::class_<Tableau>(
        module, "Tableau",
        "A stabiliser group whose signs are sums modulo 2 of atoms; atom 0 is the constant 1.\n"
        "Paulis are lists of (qubit, letter) with letters 1 = X, 2 = Z, 3 = Y.")
        .def(nb::init<std::uint32_t, bool>(), nb::arg("qubits"), nb::arg("open") = false,
             "All qubits in |0>, or in any state at all.")
        .def("copy", [](const Tableau& self) { return Tableau(self); })
        .def_prop_ro("qubits", &Tableau::qubits)
        .def(
            "apply",
            [](Tableau& self, const Clifford& gate, const std::vector<std::uint32_t>& on) {
                self.apply(gate, on);
            },
            nb::arg("gate"), nb::arg("on"))
        .def("flip", &Tableau::flip, nb::arg("pauli"), nb::arg("where"),
             "Apply a Pauli where a function is true.")
        .def("measure", &Tableau::measure, nb::arg("pauli"), nb::arg("outcome"),
             "Measure a Pauli; unless it is fixed, its sign is `outcome` from now on.")
        .def("sign", &Tableau::sign, nb::arg("pauli"), "The sign of a Pauli in the group; None if it is not.")
        .def_prop_ro("generators", &Tableau::generators, "The rows of the group's generators.")
        .def("generator", &Tableau::generator, nb::arg("row"))
        .def("generator_sign", &Tableau::generator_sign, nb::arg("row"))
        .def("set_sign", &Tableau::set_sign, nb::arg("row"), nb::arg("sign"));
}

void bind_diagrams(nb::module_& module) {
    nb::exception<TooManyNodes>(module, "TooManyNodes", PyExc_RuntimeError);
    nb::class_<Diagrams>(
        module, "Diagrams",
        "Reduced ordered binary decision diagrams. Nodes are numbers: 0 is false, 1 is true, and\n"
        "equal functions are the same node. Variables are ordered by their numbers.")
        .def(nb::init<std::size_t>(), nb::arg("most_nodes"))
        .def("variable", &Diagrams::variable, nb::arg("number"))
        .def("conjunction", &Diagrams::conjunction, nb::arg("left"), nb::arg("right"))
        .def("parity", &Diagrams::parity, nb::arg("left"), nb::arg("right"))
        .def("asked", &Diagrams::asked, nb::arg("node"), "The variable that an inner node asks.")
        .def("low", &Diagrams::low, nb::arg("node"))
        .def("high", &Diagrams::high, nb::arg("node"))
        .def("__len__", &Diagrams::size);
}

}  // namespace

void bind_stabiliser(nb::module_& module) {
    bind_tableau(module);
    bind_diagrams(module);
}

}  // namespace qismc::bindings
