#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bindings/arrays.h"
#include "bindings/bindings.h"
#include "graph/rows.h"
#include "graph/spread.h"

namespace qismc::bindings {
namespace {

namespace nb = nanobind;
template <class Scalar>
using Array = nb::ndarray<Scalar, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Found = Given<graph::Index>;

std::pair<Found, Found> both_to_numpy(graph::OwnRows rows) {
    return {to_numpy(std::move(rows.offsets)), to_numpy(std::move(rows.neighbours))};
}

graph::Rows rows_of(const Array<const graph::Index>& offsets, const Array<const graph::Index>& neighbours) {
    return {{offsets.data(), offsets.size()}, {neighbours.data(), neighbours.size()}};
}

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
            graph::spread(rows_of(offsets, neighbours), {inside.data(), size}, {missing.data(), size},
                          {expand.data(), size});
        },
        nb::arg("offsets"), nb::arg("neighbours"), nb::arg("inside"), nb::arg("missing"), nb::arg("expand"),
        "The least set that contains `inside`, and l as soon as missing[l] of the edges that leave members\n"
        "in `expand` lead to it; the neighbours of l are neighbours[offsets[l]:offsets[l + 1]]. `inside`\n"
        "becomes that set, `missing` is used up.");
    module.def(
        "rows_are_total",
        [](const Array<const graph::Index>& offsets, const Array<const graph::Index>& neighbours) {
            return graph::are_total(rows_of(offsets, neighbours));
        },
        nb::arg("offsets"), nb::arg("neighbours"),
        "Do all rows follow one another, none of them empty, and do all edges stay in the graph?");
    module.def(
        "reversed_rows",
        [](const Array<const graph::Index>& offsets, const Array<const graph::Index>& neighbours) {
            const graph::Rows rows = rows_of(offsets, neighbours);
            if (!graph::are_total(rows)) throw std::invalid_argument("the rows are not total");
            return both_to_numpy(graph::reversed(rows));
        },
        nb::arg("offsets"), nb::arg("neighbours"), "The rows of all edges turned round, in order.");
    module.def(
        "chain_rows",
        [](const std::vector<graph::Index>& starts, const std::vector<graph::Index>& left,
           const std::vector<graph::Index>& entered) {
            return both_to_numpy(graph::of_chains(starts, left, entered));
        },
        nb::arg("starts"), nb::arg("left"), nb::arg("entered"),
        "Offsets and neighbours of locations in chains: chain k has the numbers starts[k] .. starts[k + 1],\n"
        "each leads to the next one, the last one to the first ones of the chains entered[j] with\n"
        "left[j] = k, each once; `left` ascends.");
}

}  // namespace qismc::bindings
