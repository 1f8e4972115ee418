#pragma once

#include <span>
#include <vector>

#include "order/hypergraph.h"

namespace qismc::order {

/// order[k] is the vertex at level k.
using Order = std::vector<Vertex>;

/// The inverse permutation: the level at which each vertex stands.
std::vector<std::int32_t> positions(std::span<const Vertex> order);

/// What an order is expected to cost, the smaller the better.
struct Cost {
    double log2_bonds =
        0;  ///< log2 of the sum over all cuts of 2^(hyperedges that cross it); -inf without cuts
    std::int32_t max_cut = 0;
    double span = 0;  ///< sum of weight times length: the work of long gates; decides between equal bonds

    /// Strictly better by more than rounding.
    bool operator<(const Cost& other) const;
};

Cost cost_of(const Hypergraph& graph, std::span<const Vertex> order);

}  // namespace qismc::order
