#include "order/window.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

namespace qismc::order {
namespace {

using Mask = std::uint32_t;
using Counts = std::vector<std::int32_t>;

constexpr std::int32_t kWindow = 8;
constexpr std::int32_t kStride = 4;
constexpr int kMaxSweeps = 8;
constexpr double kGain = 1 - 1e-9;
/// 2^cut is compared between at most 2^kMaxWindow sums of at most kMaxWindow terms: this cannot overflow.
constexpr std::int32_t kMaxExponent = 1000;

/// Replaces counts[S] by the sum of counts[T] over the subsets T of S.
void sum_over_subsets(Counts& counts, std::int32_t width) {
    for (std::int32_t bit = 0; bit < width; ++bit) {
        const std::size_t step = std::size_t{1} << bit;
        for (std::size_t without = 0; without < counts.size(); without += 2 * step) {
            for (std::size_t set = without; set < without + step; ++set) counts[set + step] += counts[set];
        }
    }
}

/// For every set S of local vertices: how many hyperedges cross the cut between S (with all that stands to
/// the left) and the rest. A hyperedge is open once it has begun and until all its pins are in S.
Counts crossings(const Segment& segment) {
    const std::int32_t width = segment.size();
    const Mask full = (Mask{1} << width) - 1;
    Counts begun(full + 1, 0), closed(full + 1, 0), open(full + 1, 0);
    std::int32_t from_left = 0, others = 0;
    for (std::int32_t edge = 0; edge < segment.pins.size(); ++edge) {
        Mask mask = 0;
        for (std::int32_t pin : segment.pins[edge]) mask |= Mask{1} << pin;
        if (segment.to_left[edge]) {
            ++from_left;
        } else {
            ++others;
            ++begun[mask];
        }
        if (!segment.to_right[edge]) ++closed[mask];
    }
    sum_over_subsets(begun, width);
    sum_over_subsets(closed, width);
    for (Mask set = 0; set <= full; ++set) open[set] = from_left + others - begun[full ^ set] - closed[set];
    return open;
}

/// Cheapest way to place the local vertices one after the other: a shortest path over their subsets.
struct Plan {
    std::vector<double> cost;
    std::vector<std::int8_t> last;

    explicit Plan(const Counts& open) : cost(open.size()), last(open.size(), 0) {
        const Mask full = static_cast<Mask>(open.size()) - 1;
        for (Mask set = 1; set <= full; ++set) {
            double best = std::numeric_limits<double>::infinity();
            for (Mask rest = set; rest != 0; rest &= rest - 1) {
                const int vertex = std::countr_zero(rest);
                if (cost[set ^ (Mask{1} << vertex)] >= best) continue;
                best = cost[set ^ (Mask{1} << vertex)];
                last[set] = static_cast<std::int8_t>(vertex);
            }
            cost[set] = best + (set == full ? 0 : price(open[set]));
        }
    }

    /// 2^cut, by its bits.
    static double price(std::int32_t cut) {
        return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + std::min(cut, kMaxExponent)) << 52);
    }
};

double present_cost(const Counts& open, std::int32_t width) {
    double cost = 0;
    for (std::int32_t k = 1; k < width; ++k) cost += Plan::price(open[(Mask{1} << k) - 1]);
    return cost;
}

}  // namespace

bool arrange_exactly(const Hypergraph& graph, Arrangement& arrangement, std::int32_t begin,
                     std::int32_t end) {
    const Segment segment(graph, arrangement, begin, end);
    const std::int32_t width = segment.size();
    const Counts open = crossings(segment);
    const Plan plan(open);
    Mask set = static_cast<Mask>(open.size()) - 1;
    if (!(plan.cost[set] < present_cost(open, width) * kGain)) return false;
    std::vector<Vertex> best(width);
    for (std::int32_t k = width; k-- > 0; set ^= Mask{1} << plan.last[set]) {
        best[k] = segment.vertices[plan.last[set]];
    }
    arrangement.replace(begin, best);
    return true;
}

void refine(const Hypergraph& graph, Arrangement& arrangement, Budget& budget) {
    const std::int32_t size = graph.vertices();
    const std::int32_t width = std::min(size, kWindow);
    const std::int64_t work =
        (std::int64_t{1} << width) * width / 2 + 2 * graph.pin_count() * width / std::max(1, size);
    // What happens inside of other windows changes nothing for one: it is looked at again only if others
    // moved something in it.
    std::vector<int> moved(size, 1), seen(size, 0);  // when, by level and by the first level of a window
    int now = 1;
    bool improved = true;
    for (int sweep = 0; improved && sweep < kMaxSweeps; ++sweep) {
        improved = false;
        for (std::int32_t begin = 0; !budget.exhausted(); begin += kStride) {
            const std::int32_t end = std::min(size, begin + width), first = end - width;
            if (*std::max_element(moved.begin() + first, moved.begin() + end) > seen[first]) {
                seen[first] = ++now;
                if (arrange_exactly(graph, arrangement, first, end)) {
                    improved = true;
                    std::fill(moved.begin() + first, moved.begin() + end, now);
                }
                budget.spend(work);
            }
            if (end == size) break;
        }
    }
}

}  // namespace qismc::order
