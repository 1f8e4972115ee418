#pragma once

#include <cstdint>

#include "order/cost.h"

namespace qismc::order {

enum class Method { automatic, natural, depth_first, force, bisection };

/// A level order with small cuts. `automatic` arranges each connected component by every method, refines, and
/// keeps the cheapest; the natural order stays if it is good enough. The result depends on the arguments
/// alone.
Order level_order(const Hypergraph& graph, Method method, std::uint64_t seed);

/// The first guesses of `automatic` alone, and whether it would find nothing else.
struct Guess {
    Order order;
    bool settled = true;
};
Guess quick_order(const Hypergraph& graph);

}  // namespace qismc::order
