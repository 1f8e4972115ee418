#pragma once

#include <span>
#include <vector>

#include "order/cost.h"

namespace qismc::order {

/// An order together with its inverse, kept consistent by whoever permutes a stretch of it.
struct Arrangement {
    Order order;
    std::vector<std::int32_t> position;

    explicit Arrangement(Order initial) : order(std::move(initial)), position(positions(order)) {}

    /// Puts `vertices`, a permutation of the stretch that begins at `begin`, in its place.
    void replace(std::int32_t begin, std::span<const Vertex> vertices);
};

/// What the stretch [begin, end) of an arrangement sees of the hypergraph: its own pins of each hyperedge,
/// and whether the hyperedge goes on to the left or right of it. Hyperedges that leave on both sides cross
/// every cut of the stretch, whatever its order, and are left out.
struct Segment {
    std::vector<Vertex> vertices;  ///< local vertex i stands at level begin + i
    Rows pins;                     ///< local vertices of each hyperedge
    std::vector<char> to_left, to_right;

    Segment(const Hypergraph& graph, const Arrangement& arrangement, std::int32_t begin, std::int32_t end);

    std::int32_t size() const { return static_cast<std::int32_t>(vertices.size()); }
    std::int64_t work() const { return static_cast<std::int64_t>(pins.items.size()) + size(); }
};

}  // namespace qismc::order
