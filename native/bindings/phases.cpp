#include "field/phases.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include "bindings/bindings.h"
#include "bindings/scalars.h"

namespace qismc::bindings {
namespace {

namespace nb = nanobind;

template <class T>
using Table = nb::ndarray<const T, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Places = Table<std::int32_t>;
using Words = Table<Word>;

template <class T>
std::span<const T> view(const Table<T>& table) {
    return {table.data(), table.size()};
}

std::unique_ptr<Phases> make(const std::string& kind, Word prime, Word second, const Words& generators,
                             const Places& ends, const Places& which, const Words& exponents) {
    return make_phases(kind, prime, second, {view(generators), view(ends), view(which), view(exponents)});
}

nb::object matrices(const Phases& self, int phases, const Words& coefficients, const Places& product_ends,
                    const Places& products, const Places& sum_ends, const Places& terms,
                    const Places& entries, const Places& places) {
    auto words = self.matrices({phases, view(coefficients), view(product_ends), view(products),
                                view(sum_ends), view(terms), view(entries)},
                               view(places));
    const std::size_t each = std::max<std::size_t>(1, entries.size() * self.words());
    const std::size_t gates = words.size() / each;
    return write({self.words(), true}, std::move(words), {gates, entries.size()});
}

}  // namespace

void bind_phases(nb::module_& module) {
    nb::class_<Phases>(module, "Phases", "e^(i angle) of many angles, and gates that are sums of them.")
        .def(nb::new_(&make), nb::arg("kind"), nb::arg("prime"), nb::arg("second_prime"),
             nb::arg("generators"), nb::arg("ends"), nb::arg("which"), nb::arg("exponents"),
             "Phase k is the product of generators[which[j]] ^ exponents[j] for the j before ends[k].")
        .def("__len__", &Phases::size)
        .def("matrices", &matrices, nb::arg("phases"), nb::arg("coefficients"), nb::arg("product_ends"),
             nb::arg("products"), nb::arg("sum_ends"), nb::arg("terms"), nb::arg("entries"),
             nb::arg("places"),
             nb::sig("def matrices(self, phases: int, coefficients: numpy.typing.NDArray[numpy.uint64], "
                     "product_ends: numpy.typing.NDArray[numpy.int32], "
                     "products: numpy.typing.NDArray[numpy.int32], "
                     "sum_ends: numpy.typing.NDArray[numpy.int32], "
                     "terms: numpy.typing.NDArray[numpy.int32], "
                     "entries: numpy.typing.NDArray[numpy.int32], "
                     "places: numpy.typing.NDArray[numpy.int32]) -> numpy.typing.NDArray[numpy.uint64]"),
             "The matrices of gates of one shape, a row for each.");
}

}  // namespace qismc::bindings
