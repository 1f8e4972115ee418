#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "order/bisection.h"
#include "order/candidates.h"
#include "order/level_order.h"
#include "order/partition.h"
#include "order/window.h"
#include "testing/check.h"

namespace {

using namespace qismc::order;
using qismc::testing::check;
using qismc::testing::Test;

Hypergraph random_graph(Vertex vertices, int edges, std::mt19937_64& random) {
    Rows gates;
    for (int edge = 0; edge < edges; ++edge) {
        std::vector<Vertex> pins(2 + random() % 3);
        for (Vertex& pin : pins) pin = static_cast<Vertex>(random() % vertices);
        gates.push(pins);
    }
    return Hypergraph(vertices, gates, {});
}

std::int32_t recounted_cut(const Segment& segment, const Partition::Sides& sides) {
    std::int32_t cut = 0;
    for (std::int32_t edge = 0; edge < segment.pins.size(); ++edge) {
        bool on[2] = {segment.to_left[edge] != 0, segment.to_right[edge] != 0};
        for (std::int32_t pin : segment.pins[edge]) on[static_cast<int>(sides[pin])] = true;
        cut += on[0] && on[1];
    }
    return cut;
}

bool is_permutation(Order order) {
    std::sort(order.begin(), order.end());
    for (std::size_t k = 0; k < order.size(); ++k) {
        if (order[k] != static_cast<Vertex>(k)) return false;
    }
    return true;
}

void partitions_count_their_cut() {
    std::mt19937_64 random(1);
    for (int round = 0; round < 50; ++round) {
        const Hypergraph graph = random_graph(40, 70, random);
        const Arrangement arrangement(shuffled(natural_order(graph), random));
        const Segment segment(graph, arrangement, 8, 32);
        const Rows incident = segment.pins.transposed(segment.size());
        Partition::Sides start(segment.size(), 0);
        std::fill(start.begin(), start.begin() + segment.size() / 2, 1);
        Partition partition(segment, incident);
        const std::int32_t cut = partition.improve(start);
        check(cut == recounted_cut(segment, partition.sides()));
        check(cut <= recounted_cut(segment, start));
        const auto right = std::count(partition.sides().begin(), partition.sides().end(), 1);
        check(std::abs(2 * right - segment.size()) <= 2 * (segment.size() / 8));
    }
}

void windows_find_the_cheapest_permutation() {
    std::mt19937_64 random(2);
    for (int round = 0; round < 20; ++round) {
        const Hypergraph graph = random_graph(14, 20, random);
        Arrangement arrangement(shuffled(natural_order(graph), random));
        Order other = arrangement.order;
        std::sort(other.begin() + 4, other.begin() + 9);
        double best = std::numeric_limits<double>::infinity();
        do {
            best = std::min(best, cost_of(graph, other).log2_bonds);
        } while (std::next_permutation(other.begin() + 4, other.begin() + 9));
        arrange_exactly(graph, arrangement, 4, 9);
        check(std::abs(cost_of(graph, arrangement.order).log2_bonds - best) < 1e-9);
        check(arrangement.position == positions(arrangement.order));
    }
}

void refinement_never_hurts() {
    std::mt19937_64 random(3);
    for (int round = 0; round < 20; ++round) {
        const Hypergraph graph = random_graph(3 + static_cast<Vertex>(random() % 40), 50, random);
        Arrangement arrangement(shuffled(natural_order(graph), random));
        const Cost before = cost_of(graph, arrangement.order);
        Budget budget(100'000);
        refine(graph, arrangement, budget);
        check(is_permutation(arrangement.order));
        check(cost_of(graph, arrangement.order).log2_bonds <= before.log2_bonds + 1e-9);
    }
}

void a_spent_budget_stops_the_search() {
    std::mt19937_64 random(4);
    const Hypergraph graph = random_graph(60, 100, random);
    const Order start = natural_order(graph);
    Arrangement arrangement(start);
    Budget nothing(0);
    bisect(graph, arrangement, random, nothing);
    refine(graph, arrangement, nothing);
    check(arrangement.order == start);
    check(force_order(graph, start, nothing) == start);
}

void the_search_is_never_worse_than_its_candidates() {
    std::mt19937_64 random(5);
    for (int round = 0; round < 20; ++round) {
        const Hypergraph graph = random_graph(20 + static_cast<Vertex>(random() % 30), 60, random);
        const Order found = level_order(graph, Method::automatic, 1);
        check(is_permutation(found));
        for (Method method : {Method::natural, Method::depth_first, Method::force}) {
            const double candidate = cost_of(graph, level_order(graph, method, 1)).log2_bonds;
            check(cost_of(graph, found).log2_bonds <= candidate + 1e-9);
        }
    }
}

const Test partitions{"a partition's cut is what a recount says", partitions_count_their_cut};
const Test windows{"a window gets its cheapest permutation", windows_find_the_cheapest_permutation};
const Test refinement{"refinement never hurts", refinement_never_hurts};
const Test budgets{"a spent budget stops the search", a_spent_budget_stops_the_search};
const Test search{"the search is never worse than its candidates",
                  the_search_is_never_worse_than_its_candidates};

}  // namespace
