#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace qismc::order {

using Vertex = std::int32_t;
using Edge = std::int32_t;

/// Lists of integers stored end to end: row i is items[offsets[i] .. offsets[i + 1]).
struct Rows {
    std::vector<std::int32_t> offsets{0};
    std::vector<std::int32_t> items;

    std::int32_t size() const { return static_cast<std::int32_t>(offsets.size()) - 1; }
    std::span<const std::int32_t> operator[](std::int32_t row) const {
        return {items.data() + offsets[row], items.data() + offsets[row + 1]};
    }
    void push(std::span<const std::int32_t> row);

    /// Row j of the result lists, in rising order, the rows that contain j.
    Rows transposed(std::int32_t columns) const;
};

/// Which levels interact: one hyperedge per distinct set of two or more vertices that share a gate.
class Hypergraph {
  public:
    /// Merges equal vertex sets (their weights add) and drops sets with fewer than two vertices.
    /// Throws std::invalid_argument for a vertex outside 0 .. vertices - 1 and for negative weights.
    Hypergraph(Vertex vertices, const Rows& gates, std::span<const double> weights);

    Vertex vertices() const { return incident_.size(); }
    Edge edges() const { return pins_.size(); }
    std::span<const Vertex> pins(Edge edge) const { return pins_[edge]; }
    std::span<const Edge> incident(Vertex vertex) const { return incident_[vertex]; }
    double weight(Edge edge) const { return weights_[edge]; }
    std::int64_t pin_count() const { return static_cast<std::int64_t>(pins_.items.size()); }

    /// The connected components, each in rising order, by their smallest vertex.
    Rows components() const;

    /// The hypergraph of one connected component, which ascends; vertex i of the result is component[i].
    Hypergraph restricted(std::span<const Vertex> component) const;

  private:
    Hypergraph() = default;

    Rows pins_;
    Rows incident_;
    std::vector<double> weights_;
};

}  // namespace qismc::order
