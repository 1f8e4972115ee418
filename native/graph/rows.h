#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace qismc::graph {

using Index = std::int32_t;

/// Neighbours in compressed rows: those of location l begin at offsets[l] and end before offsets[l + 1].
struct Rows {
    std::span<const Index> offsets;
    std::span<const Index> neighbours;

    [[nodiscard]] Index size() const { return static_cast<Index>(offsets.size()) - 1; }
};

/// Rows with memory of their own.
struct OwnRows {
    std::vector<Index> offsets;
    std::vector<Index> neighbours;
};

/// Do all rows follow one another, none of them empty, and do all edges stay in the graph?
inline bool are_total(const Rows& rows) {
    const Index size = rows.size();
    if (size < 1 || rows.offsets.front() != 0) return false;
    if (static_cast<std::size_t>(rows.offsets.back()) != rows.neighbours.size()) return false;
    for (Index l = 0; l < size; ++l) {
        if (rows.offsets[l + 1] <= rows.offsets[l]) return false;
    }
    return std::ranges::all_of(rows.neighbours, [size](Index n) { return 0 <= n && n < size; });
}

/// The rows of all edges turned round; neighbours are in order. The rows must be total.
inline OwnRows reversed(const Rows& rows) {
    const Index size = rows.size();
    OwnRows found{std::vector<Index>(size + 1, 0), std::vector<Index>(rows.neighbours.size())};
    for (Index neighbour : rows.neighbours) ++found.offsets[neighbour + 1];
    for (Index l = 0; l < size; ++l) found.offsets[l + 1] += found.offsets[l];
    std::vector<Index> next(found.offsets.begin(), found.offsets.end() - 1);
    for (Index l = 0; l < size; ++l) {
        for (Index edge = rows.offsets[l]; edge < rows.offsets[l + 1]; ++edge) {
            found.neighbours[next[rows.neighbours[edge]]++] = l;
        }
    }
    return found;
}

/// The locations of chains: chain k has the numbers starts[k] .. starts[k + 1], each leads to the next one,
/// and the last one to the first ones of chains entered[j] for all j with left[j] = k; `left` ascends.
inline OwnRows of_chains(std::span<const Index> starts, std::span<const Index> left,
                         std::span<const Index> entered) {
    if (starts.empty() || left.size() != entered.size()) throw std::invalid_argument("no chains");
    OwnRows found{{0}, {}};
    found.offsets.reserve(starts.back() + 1);
    found.neighbours.reserve(starts.back() + left.size());
    std::size_t edge = 0;
    for (std::size_t k = 0; k + 1 < starts.size(); ++k) {
        for (Index l = starts[k]; l + 1 < starts[k + 1]; ++l) {
            found.neighbours.push_back(l + 1);
            found.offsets.push_back(static_cast<Index>(found.neighbours.size()));
        }
        const auto row = static_cast<std::ptrdiff_t>(found.neighbours.size());
        for (; edge < left.size() && left[edge] == static_cast<Index>(k); ++edge) {
            if (static_cast<std::size_t>(entered[edge]) + 1 >= starts.size()) {
                throw std::out_of_range("an edge leads to no chain");
            }
            found.neighbours.push_back(starts[entered[edge]]);
        }
        std::sort(found.neighbours.begin() + row, found.neighbours.end());
        found.neighbours.erase(std::unique(found.neighbours.begin() + row, found.neighbours.end()),
                               found.neighbours.end());
        found.offsets.push_back(static_cast<Index>(found.neighbours.size()));
    }
    return found;
}

}  // namespace qismc::graph
