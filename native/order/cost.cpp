#include "order/cost.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace qismc::order {
namespace {

constexpr double kRounding = 1e-9;

/// log2 of the sum of 2^cut; works on exponents, so that star-shaped hypergraphs do not overflow.
double log2_sum(std::span<const std::int32_t> cuts, std::int32_t max_cut) {
    if (cuts.empty()) return -std::numeric_limits<double>::infinity();
    double sum = 0;
    for (std::int32_t cut : cuts) sum += std::ldexp(1.0, cut - max_cut);
    return max_cut + std::log2(sum);
}

}  // namespace

std::vector<std::int32_t> positions(std::span<const Vertex> order) {
    std::vector<std::int32_t> position(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) position[order[k]] = static_cast<std::int32_t>(k);
    return position;
}

bool Cost::operator<(const Cost& other) const {
    if (log2_bonds < other.log2_bonds - kRounding) return true;
    return log2_bonds <= other.log2_bonds + kRounding && span < other.span * (1 - kRounding);
}

Cost cost_of(const Hypergraph& graph, std::span<const Vertex> order) {
    const std::vector<std::int32_t> position = positions(order);
    std::vector<std::int32_t> cuts(order.size(), 0);
    Cost cost;
    for (Edge edge = 0; edge < graph.edges(); ++edge) {
        std::int32_t low = std::numeric_limits<std::int32_t>::max(), high = 0;
        for (Vertex pin : graph.pins(edge)) {
            low = std::min(low, position[pin]);
            high = std::max(high, position[pin]);
        }
        ++cuts[low];
        --cuts[high];
        cost.span += graph.weight(edge) * (high - low);
    }
    for (std::size_t k = 1; k < cuts.size(); ++k) cuts[k] += cuts[k - 1];
    if (!cuts.empty()) cuts.pop_back();
    for (std::int32_t cut : cuts) cost.max_cut = std::max(cost.max_cut, cut);
    cost.log2_bonds = log2_sum(cuts, cost.max_cut);
    return cost;
}

}  // namespace qismc::order
