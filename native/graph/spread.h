#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "graph/rows.h"

namespace qismc::graph {

/// The least set that contains `inside`, and each location l as soon as missing[l] of the edges that leave
/// members in `expand` lead to it. `inside` becomes that set, `missing` counts what is still missing.
inline void spread(const Rows& rows, std::span<bool> inside, std::span<std::int32_t> missing,
                   std::span<const bool> expand) {
    std::vector<std::int32_t> pending;
    for (std::size_t location = 0; location < inside.size(); ++location) {
        if (inside[location] && expand[location]) pending.push_back(static_cast<std::int32_t>(location));
    }
    while (!pending.empty()) {
        const std::int32_t location = pending.back();
        pending.pop_back();
        for (std::int32_t edge = rows.offsets[location]; edge < rows.offsets[location + 1]; ++edge) {
            const auto neighbour = static_cast<std::size_t>(rows.neighbours[edge]);
            if (neighbour >= inside.size()) throw std::out_of_range("an edge leads out of the graph");
            if (inside[neighbour] || --missing[neighbour] != 0) continue;
            inside[neighbour] = true;
            if (expand[neighbour]) pending.push_back(static_cast<std::int32_t>(neighbour));
        }
    }
}

}  // namespace qismc::graph
