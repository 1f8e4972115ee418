#pragma once

#include <random>

#include "order/budget.h"
#include "order/segment.h"

namespace qismc::order {

/// Splits the arrangement in two halves with few hyperedges across, then each half in turn, down to stretches
/// that are arranged exactly. A hyperedge that leaves a stretch pulls its pins to the side where it leaves
/// (terminal propagation). Stretches reached after the budget is spent keep their present order.
void bisect(const Hypergraph& graph, Arrangement& arrangement, std::mt19937_64& random, Budget& budget);

}  // namespace qismc::order
