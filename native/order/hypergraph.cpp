#include "order/hypergraph.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <unordered_map>

namespace qismc::order {
namespace {

std::uint64_t hash_of(std::span<const Vertex> pins) {
    std::uint64_t hash = pins.size();
    for (Vertex pin : pins) hash = (hash ^ static_cast<std::uint64_t>(pin)) * 0x9E3779B97F4A7C15u;
    return hash ^ (hash >> 29);
}

/// The distinct pins of one gate, sorted.
std::vector<Vertex> vertex_set(std::span<const Vertex> gate, Vertex vertices) {
    std::vector<Vertex> pins(gate.begin(), gate.end());
    std::sort(pins.begin(), pins.end());
    pins.erase(std::unique(pins.begin(), pins.end()), pins.end());
    if (!pins.empty() && (pins.front() < 0 || pins.back() >= vertices)) {
        const Vertex culprit = pins.front() < 0 ? pins.front() : pins.back();
        throw std::invalid_argument("hyperedge names level " + std::to_string(culprit) + ", but there are " +
                                    std::to_string(vertices) + " levels");
    }
    return pins;
}

double weight_of(std::span<const double> weights, std::int32_t gate) {
    if (weights.empty()) return 1.0;
    const double weight = weights[gate];
    if (!(weight >= 0)) {
        throw std::invalid_argument("hyperedge " + std::to_string(gate) + " has weight " +
                                    std::to_string(weight) + "; weights must not be negative");
    }
    return weight;
}

}  // namespace

void Rows::push(std::span<const std::int32_t> row) {
    items.insert(items.end(), row.begin(), row.end());
    offsets.push_back(static_cast<std::int32_t>(items.size()));
}

Rows Rows::transposed(std::int32_t columns) const {
    Rows result;
    result.offsets.assign(static_cast<std::size_t>(columns) + 1, 0);
    result.items.resize(items.size());
    for (std::int32_t column : items) ++result.offsets[column + 1];
    std::partial_sum(result.offsets.begin(), result.offsets.end(), result.offsets.begin());
    std::vector<std::int32_t> next(result.offsets.begin(), result.offsets.end() - 1);
    for (std::int32_t row = 0; row < size(); ++row) {
        for (std::int32_t column : (*this)[row]) result.items[next[column]++] = row;
    }
    return result;
}

Hypergraph::Hypergraph(Vertex vertices, const Rows& gates, std::span<const double> weights) {
    std::unordered_multimap<std::uint64_t, Edge> known;
    for (std::int32_t gate = 0; gate < gates.size(); ++gate) {
        const std::vector<Vertex> set = vertex_set(gates[gate], vertices);
        const double weight = weight_of(weights, gate);
        if (set.size() < 2) continue;
        const std::uint64_t hash = hash_of(set);
        auto [first, last] = known.equal_range(hash);
        first = std::find_if(first, last,
                             [&](const auto& entry) { return std::ranges::equal(pins_[entry.second], set); });
        if (first != last) {
            weights_[first->second] += weight;
            continue;
        }
        known.emplace(hash, pins_.size());
        pins_.push(set);
        weights_.push_back(weight);
    }
    incident_ = pins_.transposed(vertices);
}

Rows Hypergraph::components() const {
    std::vector<char> seen(vertices(), 0);
    Rows result;
    for (Vertex root = 0; root < vertices(); ++root) {
        if (seen[root]) continue;
        std::vector<Vertex> members{root};
        seen[root] = 1;
        for (std::size_t head = 0; head < members.size(); ++head) {
            for (Edge edge : incident(members[head])) {
                for (Vertex pin : pins(edge)) {
                    if (!seen[pin]) members.push_back(pin);
                    seen[pin] = 1;
                }
            }
        }
        std::sort(members.begin(), members.end());
        result.push(members);
    }
    return result;
}

Hypergraph Hypergraph::restricted(std::span<const Vertex> component) const {
    std::vector<Vertex> local(vertices(), -1);
    for (std::size_t i = 0; i < component.size(); ++i) local[component[i]] = static_cast<Vertex>(i);
    Rows gates;
    std::vector<double> weights;
    for (Vertex vertex : component) {
        for (Edge edge : incident(vertex)) {
            if (pins(edge).front() != vertex) continue;
            std::vector<Vertex> set;
            for (Vertex pin : pins(edge)) set.push_back(local[pin]);
            gates.push(set);
            weights.push_back(weight(edge));
        }
    }
    return Hypergraph(static_cast<Vertex>(component.size()), gates, weights);
}

}  // namespace qismc::order
