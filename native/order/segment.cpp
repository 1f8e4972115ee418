#include "order/segment.h"

namespace qismc::order {

void Arrangement::replace(std::int32_t begin, std::span<const Vertex> vertices) {
    for (Vertex vertex : vertices) {
        order[begin] = vertex;
        position[vertex] = begin++;
    }
}

Segment::Segment(const Hypergraph& graph, const Arrangement& arrangement, std::int32_t begin,
                 std::int32_t end)
    : vertices(arrangement.order.begin() + begin, arrangement.order.begin() + end) {
    std::vector<std::int32_t> local;
    for (std::int32_t level = begin; level < end; ++level) {
        for (Edge edge : graph.incident(arrangement.order[level])) {
            local.clear();
            bool left = false, right = false, first = true;
            for (Vertex pin : graph.pins(edge)) {
                const std::int32_t at = arrangement.position[pin];
                left |= at < begin;
                right |= at >= end;
                // Each hyperedge is taken once, at its leftmost pin inside.
                first &= at < begin || at >= level;
                if (at >= begin && at < end) local.push_back(at - begin);
            }
            if (!first || (left && right)) continue;
            pins.push(local);
            to_left.push_back(left);
            to_right.push_back(right);
        }
    }
}

}  // namespace qismc::order
