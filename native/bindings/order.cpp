#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "bindings/arrays.h"
#include "bindings/bindings.h"
#include "order/level_order.h"

namespace qismc::bindings {
namespace {

namespace nb = nanobind;
using Integers = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Reals = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using order::Method;

constexpr std::array<std::pair<const char*, Method>, 5> kMethods{{{"auto", Method::automatic},
                                                                  {"natural", Method::natural},
                                                                  {"depth-first", Method::depth_first},
                                                                  {"force", Method::force},
                                                                  {"bisection", Method::bisection}}};

Method method_named(const std::string& name) {
    std::string known;
    for (const auto& [text, method] : kMethods) {
        if (name == text) return method;
        known += (known.empty() ? "" : ", ") + std::string(text);
    }
    throw std::invalid_argument("unknown order method '" + name + "'; use one of " + known);
}

order::Rows rows_of(const Integers& offsets, const Integers& items) {
    order::Rows rows;
    rows.offsets.assign(offsets.data(), offsets.data() + offsets.size());
    rows.items.assign(items.data(), items.data() + items.size());
    if (rows.offsets.empty() || rows.offsets.front() != 0 || rows.offsets.back() != std::ssize(rows.items)) {
        throw std::invalid_argument("edges_ptr must begin with 0 and end with the length of edges, " +
                                    std::to_string(rows.items.size()));
    }
    for (std::size_t k = 1; k < rows.offsets.size(); ++k) {
        if (rows.offsets[k] < rows.offsets[k - 1]) {
            throw std::invalid_argument("edges_ptr falls at index " + std::to_string(k) + "; it must not");
        }
    }
    return rows;
}

order::Hypergraph hypergraph_of(std::int32_t levels, const Integers& edges_ptr, const Integers& edges,
                                const std::optional<Reals>& weights) {
    if (levels < 0)
        throw std::invalid_argument("levels is " + std::to_string(levels) + "; it must not be negative");
    const order::Rows gates = rows_of(edges_ptr, edges);
    std::span<const double> times;
    if (weights) times = {weights->data(), weights->size()};
    if (weights && std::ssize(times) != gates.size()) {
        throw std::invalid_argument(std::to_string(times.size()) + " weights for " +
                                    std::to_string(gates.size()) + " hyperedges; give one each");
    }
    const nb::gil_scoped_release release;
    return order::Hypergraph(levels, gates, times);
}

order::Order permutation_of(std::int32_t levels, const Integers& items) {
    order::Order result(items.data(), items.data() + items.size());
    std::vector<char> seen(levels, 0);
    bool valid = std::ssize(result) == levels;
    for (order::Vertex vertex : result) valid = valid && vertex >= 0 && vertex < levels && !seen[vertex]++;
    if (!valid) throw std::invalid_argument("order is no permutation of 0 .. " + std::to_string(levels - 1));
    return result;
}

}  // namespace

void bind_order(nb::module_& module) {
    module.def(
        "level_order",
        [](std::int32_t levels, const Integers& edges_ptr, const Integers& edges,
           const std::optional<Reals>& weights, std::uint64_t seed, const std::string& method) {
            const Method chosen = method_named(method);
            const order::Hypergraph graph = hypergraph_of(levels, edges_ptr, edges, weights);
            order::Order result;
            {
                const nb::gil_scoped_release release;
                result = order::level_order(graph, chosen, seed);
            }
            return to_numpy(std::move(result));
        },
        nb::arg("levels"), nb::arg("edges_ptr"), nb::arg("edges"), nb::arg("weights").none() = nb::none(),
        nb::arg("seed") = 0, nb::arg("method") = "auto",
        "An order with small cuts: entry k is the qubit that stands at level k. Hyperedge j joins\n"
        "edges[edges_ptr[j]:edges_ptr[j + 1]]; weights say how often it occurs. Methods: auto, natural,\n"
        "depth-first, force, bisection. The result depends on the arguments alone.");
    module.def(
        "quick_order",
        [](std::int32_t levels, const Integers& edges_ptr, const Integers& edges) {
            order::Guess found = order::quick_order(hypergraph_of(levels, edges_ptr, edges, std::nullopt));
            return nb::make_tuple(to_numpy(std::move(found.order)), found.settled);
        },
        nb::arg("levels"), nb::arg("edges_ptr"), nb::arg("edges"),
        nb::sig("def quick_order(levels: int, edges_ptr: numpy.typing.NDArray[numpy.int32], edges: "
                "numpy.typing.NDArray[numpy.int32]) -> tuple[numpy.typing.NDArray[numpy.int32], bool]"),
        "The first guess of `level_order`, and whether a search finds nothing better.");
    module.def(
        "order_cost",
        [](std::int32_t levels, const Integers& edges_ptr, const Integers& edges,
           const std::optional<Reals>& weights, const Integers& order) {
            const order::Hypergraph graph = hypergraph_of(levels, edges_ptr, edges, weights);
            return order::cost_of(graph, permutation_of(levels, order)).log2_bonds;
        },
        nb::arg("levels"), nb::arg("edges_ptr"), nb::arg("edges"), nb::arg("weights").none(),
        nb::arg("order"),
        "log2 of the sum over all cuts of 2^(distinct hyperedges that cross it); -inf if there is no cut.");
}

}  // namespace qismc::bindings
