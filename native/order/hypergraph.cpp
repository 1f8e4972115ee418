#include "order/hypergraph.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>

namespace qismc::order {
namespace {

std::uint64_t hash_of(std::span<const Vertex> pins) {
    std::uint64_t hash = pins.size();
    for (Vertex pin : pins) hash = (hash ^ static_cast<std::uint64_t>(pin)) * 0x9E3779B97F4A7C15u;
    return hash ^ (hash >> 29);
}

/// The distinct pins of one gate, sorted.
void find_set(std::span<const Vertex> gate, Vertex vertices, std::vector<Vertex>& pins) {
    pins.assign(gate.begin(), gate.end());
    std::sort(pins.begin(), pins.end());
    pins.erase(std::unique(pins.begin(), pins.end()), pins.end());
    if (!pins.empty() && (pins.front() < 0 || pins.back() >= vertices)) {
        const Vertex culprit = pins.front() < 0 ? pins.front() : pins.back();
        throw std::invalid_argument("hyperedge names level " + std::to_string(culprit) + ", but there are " +
                                    std::to_string(vertices) + " levels");
    }
}

/// Finds rows again: slots by the hash of a row, the next one where a slot is taken.
class RowTable {
  public:
    /// The number of the row with these items; it is appended if there is none.
    Edge number_of(std::span<const Vertex> row, Rows& rows) {
        if (2 * (rows.offsets.size() + 1) > slots_.size()) grow(rows);
        Edge& slot = slot_of(row, rows);
        if (slot == kEmpty) {
            slot = rows.size();
            rows.push(row);
        }
        return slot;
    }

  private:
    static constexpr Edge kEmpty = -1;

    Edge& slot_of(std::span<const Vertex> row, const Rows& rows) {
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t place = hash_of(row) & mask;; place = (place + 1) & mask) {
            if (slots_[place] == kEmpty || std::ranges::equal(rows[slots_[place]], row)) return slots_[place];
        }
    }

    void grow(const Rows& rows) {
        slots_.assign(std::max<std::size_t>(64, 4 * slots_.size()), kEmpty);
        for (Edge edge = 0; edge < rows.size(); ++edge) slot_of(rows[edge], rows) = edge;
    }

    std::vector<Edge> slots_;
};

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
    RowTable known;
    std::vector<Vertex> set;
    for (std::int32_t gate = 0; gate < gates.size(); ++gate) {
        find_set(gates[gate], vertices, set);
        const double weight = weight_of(weights, gate);
        if (set.size() < 2) continue;
        const Edge edge = known.number_of(set, pins_);
        if (edge == std::ssize(weights_)) weights_.push_back(0);
        weights_[edge] += weight;
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
    Hypergraph found;  // distinct sets stay distinct and sorted
    for (Vertex vertex : component) {
        for (Edge edge : incident(vertex)) {
            if (pins(edge).front() != vertex) continue;
            for (Vertex pin : pins(edge)) found.pins_.items.push_back(local[pin]);
            found.pins_.offsets.push_back(static_cast<std::int32_t>(found.pins_.items.size()));
            found.weights_.push_back(weight(edge));
        }
    }
    found.incident_ = found.pins_.transposed(static_cast<std::int32_t>(component.size()));
    return found;
}

}  // namespace qismc::order
