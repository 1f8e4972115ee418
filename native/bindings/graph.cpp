#include <nanobind/ndarray.h>

#include <cstdint>
#include <stdexcept>

#include "bindings/bindings.h"
#include "graph/spread.h"

namespace qismc::bindings {
namespace {

namespace nb = nanobind;
template <class Scalar>
using Array = nb::ndarray<Scalar, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

}  // namespace

void bind_graph(nb::module_& module) {
    module.def(
        "spread",
        [](const Array<const std::int32_t>& offsets, const Array<const std::int32_t>& neighbours,
           const Array<bool>& inside, const Array<std::int32_t>& missing, const Array<const bool>& expand) {
            const std::size_t size = inside.size();
            if (offsets.size() != size + 1 || missing.size() != size || expand.size() != size) {
                throw std::invalid_argument("all arrays must have an entry for each location");
            }
            if (offsets(0) != 0 || static_cast<std::size_t>(offsets(size)) != neighbours.size()) {
                throw std::invalid_argument("offsets must run from 0 to the number of neighbours");
            }
            const nb::gil_scoped_release release;
            graph::spread({{offsets.data(), size + 1}, {neighbours.data(), neighbours.size()}},
                          {inside.data(), size}, {missing.data(), size}, {expand.data(), size});
        },
        nb::arg("offsets"), nb::arg("neighbours"), nb::arg("inside"), nb::arg("missing"), nb::arg("expand"),
        "The least set that contains `inside`, and l as soon as missing[l] of the edges that leave members\n"
        "in `expand` lead to it; the neighbours of l are neighbours[offsets[l]:offsets[l + 1]]. `inside`\n"
        "becomes that set, `missing` is used up.");
}

}  // namespace qismc::bindings
