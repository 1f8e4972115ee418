#include "order/bisection.h"

#include <algorithm>

#include "order/partition.h"
#include "order/window.h"

namespace qismc::order {
namespace {

constexpr std::int32_t kLeaf = 8;
constexpr int kGrownStarts = 3;

using Sides = Partition::Sides;

/// The present order cut in the middle.
Sides present_halves(std::int32_t size) {
    Sides sides(size, 0);
    std::fill(sides.begin() + size / 2, sides.end(), 1);
    return sides;
}

/// Half of the vertices, grown breadth-first from a random one, goes to `side`.
Sides grown_halves(const Segment& segment, const Rows& incident, char side, std::mt19937_64& random) {
    const std::int32_t size = segment.size();
    Sides sides(size, static_cast<char>(1 - side)), seen(size, 0), expanded(segment.pins.size(), 0);
    std::vector<std::int32_t> queue{static_cast<std::int32_t>(random() % size)};
    seen[queue[0]] = 1;
    std::int32_t unseen = 0;
    for (std::int32_t taken = 0; taken < size / 2; ++taken) {
        if (taken == std::ssize(queue)) {
            while (seen[unseen]) ++unseen;
            queue.push_back(unseen);
            seen[unseen] = 1;
        }
        sides[queue[taken]] = side;
        for (std::int32_t edge : incident[queue[taken]]) {
            if (expanded[edge]++) continue;
            for (std::int32_t pin : segment.pins[edge]) {
                if (!seen[pin]++) queue.push_back(pin);
            }
        }
    }
    return sides;
}

/// The best of several starts.
Sides split(const Segment& segment, std::mt19937_64& random, Budget& budget) {
    const Rows incident = segment.pins.transposed(segment.size());
    Partition partition(segment, incident);
    std::int32_t smallest = partition.improve(present_halves(segment.size()));
    Sides best = partition.sides();
    for (int start = 0; start < kGrownStarts && smallest > 0; ++start) {
        const char side = static_cast<char>(start & 1);
        const std::int32_t cut = partition.improve(grown_halves(segment, incident, side, random));
        if (cut >= smallest) continue;
        smallest = cut;
        best = partition.sides();
    }
    budget.spend(partition.work());
    return best;
}

void bisect_stretch(const Hypergraph& graph, Arrangement& arrangement, std::int32_t begin, std::int32_t end,
                    std::mt19937_64& random, Budget& budget) {
    if (budget.exhausted()) return;
    if (end - begin <= kLeaf) {
        arrange_exactly(graph, arrangement, begin, end);
        budget.spend(std::int64_t{1} << (end - begin));
        return;
    }
    const Segment segment(graph, arrangement, begin, end);
    const Sides sides = split(segment, random, budget);
    std::vector<Vertex> halves;
    for (char side : {0, 1}) {
        for (std::int32_t i = 0; i < segment.size(); ++i) {
            if (sides[i] == side) halves.push_back(segment.vertices[i]);
        }
    }
    arrangement.replace(begin, halves);
    const std::int32_t middle = end - static_cast<std::int32_t>(std::count(sides.begin(), sides.end(), 1));
    bisect_stretch(graph, arrangement, begin, middle, random, budget);
    bisect_stretch(graph, arrangement, middle, end, random, budget);
}

}  // namespace

void bisect(const Hypergraph& graph, Arrangement& arrangement, std::mt19937_64& random, Budget& budget) {
    bisect_stretch(graph, arrangement, 0, graph.vertices(), random, budget);
}

}  // namespace qismc::order
