#pragma once

#include "order/budget.h"
#include "order/segment.h"

namespace qismc::order {

/// The widest stretch that `arrange_exactly` takes: its tables have 2^width entries.
constexpr std::int32_t kMaxWindow = 12;

/// Gives the stretch [begin, end) its cheapest order, the rest staying where it is. Returns whether it
/// improved.
bool arrange_exactly(const Hypergraph& graph, Arrangement& arrangement, std::int32_t begin, std::int32_t end);

/// Slides a small window over the arrangement until no window improves or the budget is spent.
void refine(const Hypergraph& graph, Arrangement& arrangement, Budget& budget);

}  // namespace qismc::order
