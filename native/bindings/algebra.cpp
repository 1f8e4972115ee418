#include "linear/algebra.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "bindings/bindings.h"
#include "bindings/scalars.h"

namespace qismc::bindings {
namespace {

namespace nb = nanobind;

/// A row space together with the form of its rows.
struct PyRows {
    std::unique_ptr<RowSpace> space;
    Form form;
    std::size_t cols;
};

Form form_of(const Algebra& algebra) { return {algebra.words(), true}; }

std::pair<std::size_t, std::size_t> shape_of(Form form, const Scalars& m, const char* name) {
    const std::size_t axes = form.words > 1 ? 3 : 2;
    if (m.ndim() != axes)
        throw std::invalid_argument(std::string(name) + " must have " + std::to_string(axes) + " axes, got " +
                                    std::to_string(m.ndim()));
    return {m.shape(0), m.shape(1)};
}

nb::object product(const Algebra& self, const Scalars& a, const Scalars& b) {
    const Form form = form_of(self);
    const auto [rows, inner] = shape_of(form, a, "the left matrix");
    const auto [height, cols] = shape_of(form, b, "the right matrix");
    if (inner != height)
        throw std::invalid_argument("matrices of " + std::to_string(inner) + " columns and " +
                                    std::to_string(height) + " rows have no product");
    auto words = self.product(read(form, a, {rows, inner}, "the left matrix"),
                              read(form, b, {inner, cols}, "the right matrix"), static_cast<int>(rows),
                              static_cast<int>(inner), static_cast<int>(cols));
    return write(form, std::move(words), {rows, cols});
}

nb::tuple echelon(const Algebra& self, const Scalars& m) {
    const Form form = form_of(self);
    const auto [rows, cols] = shape_of(form, m, "the matrix");
    auto found = self.echelon(read(form, m, {rows, cols}, "the matrix"), static_cast<int>(rows),
                              static_cast<int>(cols));
    const std::size_t rank = found.pivots.size();
    return nb::make_tuple(write(form, std::move(found.rows), {rank, cols}), found.pivots);
}

std::vector<bool> extend(PyRows& self, const Scalars& m) {
    const auto [count, cols] = shape_of(self.form, m, "the rows");
    return self.space->extend(read(self.form, m, {count, self.cols}, "the rows"), static_cast<int>(count));
}

}  // namespace

void bind_algebra(nb::module_& module) {
    nb::class_<PyRows>(module, "Rows", "The space of the rows joined so far.")
        .def_prop_ro("rank", [](const PyRows& self) { return self.space->rank(); })
        .def("extend", &extend, nb::arg("rows"),
             nb::sig("def extend(self, rows: numpy.typing.NDArray[typing.Any]) -> list[bool]"),
             "Joins rows, one after the other; which of them were outside.");
    nb::class_<Algebra>(module, "Algebra",
                        "Linear algebra on matrices of residues, of the kinds fp, fp2, twin, long and long2.")
        .def(nb::new_([](const std::string& kind, Word prime, Word second) {
                 return make_algebra(kind, prime, second);
             }),
             nb::arg("kind"), nb::arg("prime"), nb::arg("second_prime") = 0)
        .def("product", &product, nb::arg("a"), nb::arg("b"),
             nb::sig("def product(self, a: numpy.typing.NDArray[typing.Any], b: "
                     "numpy.typing.NDArray[typing.Any]) -> numpy.typing.NDArray[typing.Any]"),
             "a b.")
        .def("echelon", &echelon, nb::arg("m"),
             nb::sig("def echelon(self, m: numpy.typing.NDArray[typing.Any]) -> "
                     "tuple[numpy.typing.NDArray[typing.Any], list[int]]"),
             "The reduced echelon form without zero rows, and the pivots.")
        .def(
            "rows",
            [](const Algebra& self, int cols) {
                if (cols < 0) throw std::invalid_argument("rows of " + std::to_string(cols) + " entries");
                return PyRows{self.row_space(cols), form_of(self), static_cast<std::size_t>(cols)};
            },
            nb::arg("cols"), "An empty space of rows with so many entries.");
}

}  // namespace qismc::bindings
