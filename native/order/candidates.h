#pragma once

#include <cstdint>

#include "order/budget.h"
#include "order/cost.h"

namespace qismc::order {

/// 0, 1, 2, …
Order natural_order(const Hypergraph& graph);

/// Grows the order from an outermost vertex: next comes the neighbour that opens the fewest hyperedges more
/// than it closes, the one seen last among equals, so that branches are finished before others begin.
Order depth_first_order(const Hypergraph& graph);

/// FORCE: vertices move to the mean centre of their hyperedges, again and again; the best order seen.
Order force_order(const Hypergraph& graph, Order start, Budget& budget);

/// Fisher-Yates shuffle that does not depend on the standard library's choices.
template <class Generator>
Order shuffled(Order order, Generator& random) {
    for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[random() % k]);
    return order;
}

}  // namespace qismc::order
