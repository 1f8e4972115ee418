#include "program/columns.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>

#include <limits>
#include <stdexcept>
#include <unordered_map>

#include "bindings/arrays.h"
#include "bindings/bindings.h"
#include "bindings/layout.h"

namespace qismc::bindings {
namespace {

namespace nb = nanobind;
using program::Factor;
using program::Index;
using Found = Given<Index>;
using Objects = PyLayout::Objects;
using View = nb::ndarray<nb::numpy, const Index, nb::ndim<1>>;

Index index_of(nb::handle number) {
    const long value = PyLong_AsLong(number.ptr());
    if (value == -1 && PyErr_Occurred()) throw nb::python_error();
    if (value < 0 || value > std::numeric_limits<Index>::max()) throw std::out_of_range("a qubit's number");
    return static_cast<Index>(value);
}

/// The items of a sequence. Those of tuples, of named ones as well, are not copied.
class Items {
  public:
    explicit Items(nb::handle sequence) {
        if (PyTuple_Check(sequence.ptr())) {
            items_ = {reinterpret_cast<PyTupleObject*>(sequence.ptr())->ob_item, nb::len(sequence)};
            kept_ = nb::borrow(sequence);
            return;
        }
        kept_ = nb::steal(PySequence_Fast(sequence.ptr(), "no sequence"));
        if (!kept_.is_valid()) throw nb::python_error();
        items_ = {PySequence_Fast_ITEMS(kept_.ptr()), nb::len(kept_)};
    }

    std::size_t size() const { return items_.size(); }
    PyObject* operator[](std::size_t k) const { return items_[k]; }
    auto begin() const { return items_.begin(); }
    auto end() const { return items_.end(); }

  private:
    std::span<PyObject* const> items_;
    nb::object kept_;
};

/// The columns of a program, with the operators and the small matrices that its numbers stand for.
class PyColumns {
  public:
    /// Of statements, of which those of the type `gate` (all, if it is None) are pairs of an operator and its
    /// qubits.
    PyColumns(nb::handle code, nb::handle gate) {
        const Items statements(code);
        if (statements.size() > std::numeric_limits<Index>::max())
            throw std::length_error("too many statements");
        std::unordered_map<PyObject*, Index> numbers;  // of the very objects: looking at each once is enough
        std::vector<Index> on;
        for (std::size_t point = 0; point < statements.size(); ++point) {
            PyObject* statement = statements[point];
            if (!gate.is_none() && Py_TYPE(statement) != reinterpret_cast<PyTypeObject*>(gate.ptr())) {
                table_.crossings.push_back(static_cast<Index>(point));
                continue;
            }
            const Items pair(statement);
            if (pair.size() != 2) throw std::invalid_argument("a gate is an operator and its qubits");
            const auto [known, fresh] = numbers.try_emplace(pair[0], 0);
            if (fresh) known->second = number_of(pair[0]);
            on.clear();
            for (PyObject* qubit : Items(pair[1])) on.push_back(index_of(qubit));
            table_.add(static_cast<Index>(point), known->second, on);
        }
    }

    const program::Columns& table() const { return table_; }
    Objects operators() const { return Objects(operators_); }
    Objects bases() const { return Objects(bases_); }
    nb::handle operator_at(Index number) const { return operators_[number]; }
    nb::handle base_at(Index number) const { return bases_[number]; }

  private:
    Index number_of(nb::handle operation) {
        std::vector<Factor> factors;
        for (PyObject* factor : Items(operation.attr("factors"))) factors.push_back(factor_of(factor));
        const Index number = table_.operators.number_of(index_of(operation.attr("width")), factors);
        if (number == static_cast<Index>(nb::len(operators_))) operators_.append(operation);
        return number;
    }

    Factor factor_of(nb::handle factor) {
        Factor found{number_of_base(factor.attr("base")), {}, {}};
        for (PyObject* target : Items(factor.attr("targets"))) found.targets.push_back(index_of(target));
        for (PyObject* control : Items(factor.attr("controls"))) {
            const Items pair(control);
            if (pair.size() != 2) throw std::invalid_argument("a control is a qubit and its value");
            found.controls.emplace_back(index_of(pair[0]), static_cast<std::uint8_t>(index_of(pair[1])));
        }
        return found;
    }

    Index number_of_base(const nb::object& base) {
        const nb::int_ next(nb::len(bases_));
        PyObject* number = PyDict_SetDefault(numbers_of_bases_.ptr(), base.ptr(), next.ptr());
        if (number == nullptr) throw nb::python_error();
        if (nb::len(numbers_of_bases_) > nb::len(bases_)) bases_.append(base);
        return index_of(number);
    }

    program::Columns table_;
    nb::list operators_;
    nb::list bases_;
    nb::dict numbers_of_bases_;
};

template <class Select>
auto column(Select select) {
    return [select](nb::handle self) {
        const std::vector<Index>& values = select(nb::cast<const PyColumns&>(self).table());
        return View(values.data(), {values.size()}, self);
    };
}

PyLayout layout(const PyColumns& self, Index first, Index last) {
    program::Layout found = self.table().layout(first, last);
    nb::list bases, counts;
    for (Index base : found.bases) bases.append(self.base_at(base));
    for (const auto& [number, count] : found.counts) {
        counts.append(nb::make_tuple(self.operator_at(number), count));
    }
    return {std::move(found), Objects(bases), Objects(counts)};
}

template <class Select>
auto places(Select select) {
    return [select](nb::handle self) {
        const auto& values = select(nb::cast<const PyLayout&>(self).places);
        using Scalar = std::remove_cvref_t<decltype(values[0])>;
        return nb::ndarray<nb::numpy, const Scalar, nb::ndim<1>>(values.data(), {values.size()}, self);
    };
}

void bind_layout(nb::module_& module) {
    using program::Layout;
    nb::class_<PyLayout>(
        module, "Layout",
        "Where the factors of operators act: the controls of factor j are controls[control_ends[j] :\n"
        "control_ends[j + 1]] and have `values`, targets likewise; its matrix is bases[chosen[j]]. It knows\n"
        "no numbers and no order of levels, so it serves every engine.")
        .def_prop_ro("controls", places([](const Layout& l) -> auto& { return l.controls.items; }))
        .def_prop_ro("values", places([](const Layout& l) -> auto& { return l.values; }))
        .def_prop_ro("control_ends", places([](const Layout& l) -> auto& { return l.controls.offsets; }))
        .def_prop_ro("targets", places([](const Layout& l) -> auto& { return l.targets.items; }))
        .def_prop_ro("target_ends", places([](const Layout& l) -> auto& { return l.targets.offsets; }))
        .def_prop_ro("chosen", places([](const Layout& l) -> auto& { return l.chosen; }))
        .def_ro("bases", &PyLayout::bases)
        .def_ro("counts", &PyLayout::counts, "The different operators, and how often each is applied.");
}

}  // namespace

void bind_columns(nb::module_& module) {
    using program::Columns;
    bind_layout(module);
    nb::class_<PyColumns>(
        module, "Columns",
        "The gates of a program as arrays: gate k stands at points[k] and applies operators[numbers[k]] to\n"
        "qubits[starts[k]:starts[k + 1]]. Operators with equal factors have one number.")
        .def(
            nb::init<nb::handle, nb::handle>(), nb::arg("code"), nb::arg("gate").none(),
            "Of statements, of which those of the type `gate` (all, if it is None) are pairs of an operator\n"
            "and its qubits.")
        .def_prop_ro("points", column([](const Columns& c) -> auto& { return c.points; }))
        .def_prop_ro("numbers", column([](const Columns& c) -> auto& { return c.numbers; }))
        .def_prop_ro("starts", column([](const Columns& c) -> auto& { return c.qubits.offsets; }))
        .def_prop_ro("qubits", column([](const Columns& c) -> auto& { return c.qubits.items; }))
        .def_prop_ro("crossings", column([](const Columns& c) -> auto& { return c.crossings; }),
                     "The points where no gate stands.")
        .def_prop_ro("firsts", column([](const Columns& c) -> auto& { return c.firsts; }),
                     "Where each operator stands first.")
        .def_prop_ro(
            "spelled", column([](const Columns& c) -> auto& { return c.operators.spelled().items; }),
            "What all operators do: widths, and the bases (by number), targets and controls of factors.")
        .def_prop_ro("operators", &PyColumns::operators)
        .def_prop_ro("bases", &PyColumns::bases, "The small matrices of all factors.")
        .def(
            "between",
            [](const PyColumns& self, Index first, Index last) { return self.table().between(first, last); },
            nb::arg("first"), nb::arg("last"),
            "The gates at the points first <= p < last: from which one to before which one.")
        .def(
            "layout", layout, nb::arg("first"), nb::arg("last"),
            "Where the factors of the gates at the points first <= p < last act: controls, their values and\n"
            "ends, targets and their ends, the base of each factor by its place among the bases, the bases,\n"
            "and the different operators with how often each is applied.")
        .def(
            "interactions",
            [](const PyColumns& self) {
                program::Rows found = self.table().interactions();
                return std::pair(to_numpy(std::move(found.offsets)), to_numpy(std::move(found.items)));
            },
            "Ends and members of the sets of qubits that factors act on together, gate by gate.");
}

}  // namespace qismc::bindings
