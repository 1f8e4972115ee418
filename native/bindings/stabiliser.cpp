#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <unordered_map>

#include "bindings/bindings.h"
#include "boolean/diagrams.h"
#include "stabiliser/clifford.h"
#include "stabiliser/strings.h"
#include "stabiliser/tableau.h"

NB_MAKE_OPAQUE(qismc::stabiliser::Strings)

namespace qismc::bindings {
namespace {

namespace nb = nanobind;
using boolean::Diagrams;
using boolean::TooManyNodes;
using stabiliser::Clifford;
using stabiliser::Finding;
using stabiliser::Function;
using stabiliser::Pauli;
using stabiliser::Strings;
using stabiliser::Tableau;

using Qubits = std::vector<std::uint32_t>;

/// What operators of a program do, told by the objects that they are.
class Repertoire {
  public:
    void add(nb::object gate, const std::vector<std::pair<Clifford, Qubits>>& steps) {
        known_[gate.ptr()] = steps;
        kept_.push_back(std::move(gate));
    }

    /// Applies statements (operator, qubits) up to `stop` or the first operator that is not known.
    std::size_t run(Tableau& tableau, nb::handle code, std::size_t point, std::size_t stop) const {
        const nb::object fast = nb::steal(PySequence_Fast(code.ptr(), "code is a sequence"));
        if (!fast.is_valid()) throw nb::python_error();
        if (stop > static_cast<std::size_t>(PySequence_Fast_GET_SIZE(fast.ptr()))) {
            throw std::out_of_range("the code ends before");
        }
        PyObject** statements = PySequence_Fast_ITEMS(fast.ptr());
        for (; point < stop; ++point) {
            PyObject* statement = statements[point];
            if (!PyTuple_Check(statement) || PyTuple_GET_SIZE(statement) != 2) {
                throw std::invalid_argument("only gates can be applied");
            }
            const auto found = known_.find(PyTuple_GET_ITEM(statement, 0));
            if (found == known_.end()) break;
            apply(tableau, found->second, PyTuple_GET_ITEM(statement, 1));
        }
        return point;
    }

  private:
    using Steps = std::vector<std::pair<Clifford, Qubits>>;

    static void apply(Tableau& tableau, const Steps& steps, nb::handle qubits) {
        if (!PyTuple_Check(qubits.ptr())) throw std::invalid_argument("qubits are a tuple");
        const auto width = static_cast<std::size_t>(PyTuple_GET_SIZE(qubits.ptr()));
        for (const auto& [gate, local] : steps) {
            std::array<std::uint32_t, stabiliser::kMostQubits> on{};
            if (local.size() > on.size()) throw std::invalid_argument("a gate acts on too many qubits");
            for (std::size_t k = 0; k < local.size(); ++k) {
                if (local[k] >= width) throw std::out_of_range("an operator has too few qubits");
                on[k] = nb::cast<std::uint32_t>(nb::handle(PyTuple_GET_ITEM(qubits.ptr(), local[k])));
            }
            tableau.apply(gate, {on.data(), local.size()});
        }
    }

    std::unordered_map<PyObject*, Steps> known_;
    std::vector<nb::object> kept_;  // so that no other object has their address
};

void bind_strings(nb::module_& module) {
    nb::class_<Strings>(module, "Strings",
                        "Pauli strings with signs: generators of a group. Strings are lists of\n"
                        "(qubit, letter) with letters 1 = X, 2 = Z, 3 = Y.")
        .def(nb::init<>())
        .def_static(
            "product",
            [](std::string_view letters, const Qubits& qubits) {
                return stabiliser::of_product(letters, qubits);
            },
            nb::arg("letters"), nb::arg("qubits"),
            "The generators of a product of the states 0 1 + - r l; letter k stands on qubits[k].")
        .def(
            "append",
            [](Strings& self, Pauli letters, bool minus) { self.push_back({std::move(letters), minus}); },
            nb::arg("letters"), nb::arg("minus") = false)
        .def(
            "read",
            [](Strings& self, const std::vector<std::pair<int, std::string_view>>& paulis,
               const Qubits& qubits) {
                for (const auto& [sign, letters] : paulis) {
                    self.push_back(stabiliser::of_letters(sign < 0, letters, qubits));
                }
            },
            nb::arg("paulis"), nb::arg("qubits"),
            "Append signs with strings of the letters I X Y Z; letter k of each stands on qubits[k].")
        .def(
            "extend",
            [](Strings& self, const Strings& more) { self.insert(self.end(), more.begin(), more.end()); },
            nb::arg("more"))
        .def("__len__", [](const Strings& self) { return self.size(); })
        .def(
            "__getitem__",
            [](const Strings& self, std::size_t number) {
                if (number >= self.size()) throw nb::index_error();
                return std::pair(self[number].letters, self[number].minus);
            },
            nb::arg("number"), "Letters, and whether the sign is -1.")
        .def(
            "common",
            [](const Strings& self, const Strings& other) {
                auto [ours, theirs] = stabiliser::common(self, other);
                return std::pair(std::move(ours), std::move(theirs));
            },
            nb::arg("other"),
            "Generators of what two groups share up to signs: as elements of this one and of the other.")
        .def_prop_ro("is_consistent", &stabiliser::is_consistent,
                     "Is there a state that all strings stabilise?")
        .def(
            "compared",
            [](const Strings& self, const Strings& other) {
                auto [agreeing, contradict] = stabiliser::compared(self, other);
                return std::pair(std::move(agreeing), contradict);
            },
            nb::arg("other"),
            "Generators of the elements that two groups have with the same sign, and whether some have\n"
            "opposite signs.");
}

void bind_tableau(nb::module_& module) {
    nb::class_<Clifford>(module, "Clifford",
                         "Conjugation by a Clifford unitary: images of X0, Z0, X1, … as masks of the same\n"
                         "letters, and the monomials of these bits whose sum is the sign.")
        .def(nb::init<std::uint32_t, std::vector<std::uint32_t>, std::vector<std::uint32_t>>(),
             nb::arg("width"), nb::arg("images"), nb::arg("monomials"))
        .def_prop_ro("width", &Clifford::width)
        .def_prop_ro("images", &Clifford::images)
        .def_prop_ro("monomials", &Clifford::monomials);
    nb::class_<Repertoire>(module, "Repertoire", "What operators of a program do.")
        .def(nb::init<>())
        .def("add", &Repertoire::add, nb::arg("gate"), nb::arg("steps"),
             "The gate is these conjugations one after the other, each on some of its qubits.");
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
        .def(
            "run",
            [](Tableau& self, const Repertoire& gates, nb::handle code, std::size_t start, std::size_t stop) {
                return gates.run(self, code, start, stop);
            },
            nb::arg("gates"), nb::arg("code"), nb::arg("start"), nb::arg("stop"),
            "Apply code[start:stop], pairs of an operator and its qubits; where it came to: the first\n"
            "operator that is not known, or the end.")
        .def("flip", &Tableau::flip, nb::arg("pauli"), nb::arg("where"),
             "Apply a Pauli where a function is true.")
        .def("measure", &Tableau::measure, nb::arg("pauli"), nb::arg("outcome"),
             "Measure a Pauli; unless it is fixed, its sign is `outcome` from now on.")
        .def("sign", &Tableau::sign, nb::arg("pauli"), "The sign of a Pauli in the group; None if it is not.")
        .def("differences", &Tableau::differences, nb::arg("strings"),
             "Functions, none of them 0, of which one is true iff some string is not in the group with its\n"
             "own sign; None for strings that are not in the group at all.")
        .def_prop_ro("generators", &Tableau::generators, "The rows of the group's generators.")
        .def("generator", &Tableau::generator, nb::arg("row"))
        .def("beyond", &Tableau::beyond, nb::arg("other"),
             "The generators that are not in the group of another tableau; signs are constants.")
        .def_prop_ro("group", &Tableau::group, "All generators, signs left aside.")
        .def("generator_sign", &Tableau::generator_sign, nb::arg("row"))
        .def("set_sign", &Tableau::set_sign, nb::arg("row"), nb::arg("sign"));
}

void bind_diagrams(nb::module_& module) {
    nb::exception<TooManyNodes>(module, "TooManyNodes", PyExc_RuntimeError);
    nb::class_<Diagrams>(
        module, "Diagrams",
        "Reduced ordered binary decision diagrams. Nodes are numbers: 0 is false, 1 is true, and\n"
        "equal functions are the same node. Variables are ordered by their numbers.")
        .def(
            "__init__",
            [](Diagrams* self, std::size_t most_nodes) {
                new (self) Diagrams(most_nodes);
                self->watch().set_interrupt(check_signals);
            },
            nb::arg("most_nodes"))
        .def_prop_rw(
            "limits", [](Diagrams& self) { return self.watch().limits(); },
            [](Diagrams& self, const Limits& limits) { self.watch().set_limits(limits); })
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
    bind_strings(module);
    bind_tableau(module);
    bind_diagrams(module);
}

}  // namespace qismc::bindings
