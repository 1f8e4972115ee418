#include "order/cost.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace qismc::order {
namespace {

constexpr double kRounding = 1e-9;

/// Counts, at every cut, the intervals of levels that span it.
class CutCounter {
  public:
    explicit CutCounter(std::size_t levels) : counts_(levels, 0) {}

    void add(std::int32_t low, std::int32_t high) {
        ++counts_[low];
        --counts_[high];
    }

    /// Entry k counts the intervals from level k or before to level k + 1 or after.
    std::vector<std::int32_t> counts() && {
        std::partial_sum(counts_.begin(), counts_.end(), counts_.begin());
        if (!counts_.empty()) counts_.pop_back();
        return std::move(counts_);
    }

  private:
    std::vector<std::int32_t> counts_;
};

struct Interval {
    std::int32_t low, high;
};

Interval extent(const Hypergraph& graph, Edge edge, std::span<const std::int32_t> position) {
    Interval interval{std::numeric_limits<std::int32_t>::max(), 0};
    for (Vertex pin : graph.pins(edge)) {
        interval.low = std::min(interval.low, position[pin]);
        interval.high = std::max(interval.high, position[pin]);
    }
    return interval;
}

/// log2 of the sum of 2^cut; works on exponents, so that star-shaped hypergraphs do not overflow.
double log2_sum(std::span<const std::int32_t> cuts) {
    if (cuts.empty()) return -std::numeric_limits<double>::infinity();
    const std::int32_t largest = *std::max_element(cuts.begin(), cuts.end());
    double sum = 0;
    for (std::int32_t cut : cuts) sum += std::ldexp(1.0, cut - largest);
    return largest + std::log2(sum);
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
    // How far the hyperedges of each vertex reach.
    std::vector<std::int32_t> first = position, last = position;
    CutCounter edges(order.size()), on_left(order.size()), on_right(order.size());
    Cost cost;
    for (Edge edge = 0; edge < graph.edges(); ++edge) {
        const auto [low, high] = extent(graph, edge, position);
        edges.add(low, high);
        cost.span += graph.weight(edge) * (high - low);
        for (Vertex pin : graph.pins(edge)) {
            first[pin] = std::min(first[pin], low);
            last[pin] = std::max(last[pin], high);
        }
    }
    for (Vertex vertex : order) {
        on_left.add(position[vertex], last[vertex]);
        on_right.add(first[vertex], position[vertex]);
    }
    const auto cuts = std::move(edges).counts();
    const auto lefts = std::move(on_left).counts(), rights = std::move(on_right).counts();
    for (std::size_t k = 0; k < cuts.size(); ++k) {
        cost.width = std::max(cost.width, std::min({cuts[k], lefts[k], rights[k]}));
    }
    cost.log2_bonds = log2_sum(cuts);
    return cost;
}

}  // namespace qismc::order
