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
    /// log2 of the sum over all cuts of 2^(hyperedges that cross it); -inf without cuts.
    double log2_bonds = 0;
    /// The largest, over all cuts, of the hyperedges that cross it or, if fewer, of the vertices that they
    /// touch on one side: the gates of a star all share one vertex and make bonds of 2, however many they
    /// are.
    std::int32_t width = 0;
    /// Sum of weight times length, the work of long gates; decides between equal bonds.
    double span = 0;

    /// Strictly better by more than rounding.
    bool operator<(const Cost& other) const;
};

Cost cost_of(const Hypergraph& graph, std::span<const Vertex> order);

}  // namespace qismc::order
