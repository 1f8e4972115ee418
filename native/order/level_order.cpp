#include "order/level_order.h"

#include <algorithm>
#include <bit>
#include <random>

#include "order/bisection.h"
#include "order/budget.h"
#include "order/candidates.h"
#include "order/window.h"

namespace qismc::order {
namespace {

/// Bonds of 2^2 are so cheap that looking for a better order costs more than it saves.
constexpr std::int32_t kExcellentWidth = 2;
constexpr std::int64_t kWorkPerPin = 100;
constexpr std::int64_t kMaxWork = 3'000'000;
constexpr int kMaxBisections = 12;
constexpr int kPatience = 2;
constexpr std::int64_t kPolishFraction = 4;

std::int64_t work_allowed(const Hypergraph& graph) {
    const auto depth = std::bit_width(static_cast<std::uint32_t>(graph.vertices()));
    return std::min(kMaxWork, kWorkPerPin * depth * (graph.pin_count() + graph.vertices()));
}

/// The cheapest order of one connected component seen so far.
class Search {
  public:
    Search(const Hypergraph& graph, std::uint64_t seed)
        : graph_(graph),
          random_(seed),
          budget_(work_allowed(graph)),
          best_(natural_order(graph)),
          cost_(cost_of(graph, best_)) {}

    Order run() {
        if (guess()) return best_;
        bisections();
        if (!excellent()) polish();
        return best_;
    }

    /// What is found at once; whether that is the best order that `run` finds.
    bool guess() {
        if (excellent() || symmetric()) return true;
        if (graph_.vertices() <= kMaxWindow) {
            best_ = exact();
            return true;
        }
        consider(depth_first_order(graph_));
        if (!excellent()) consider(force_order(graph_, natural_order(graph_), budget_));
        return excellent();
    }

    const Order& best() const { return best_; }

  private:
    bool excellent() const { return cost_.width <= kExcellentWidth; }

    /// Every vertex meets every other one equally often, as in Fourier transforms: all orders cost the same.
    bool symmetric() const {
        const std::int64_t n = graph_.vertices(), pairs = n * (n - 1) / 2;
        if (graph_.edges() != pairs || graph_.pin_count() != 2 * pairs) return false;
        for (Edge edge = 0; edge < graph_.edges(); ++edge) {
            if (graph_.weight(edge) != graph_.weight(0)) return false;
        }
        return true;
    }

    Order exact() const {
        Arrangement arrangement(best_);
        arrange_exactly(graph_, arrangement, 0, graph_.vertices());
        return arrangement.order;
    }

    bool consider(Order candidate) {
        const Cost cost = cost_of(graph_, candidate);
        if (!(cost < cost_)) return false;
        best_ = std::move(candidate);
        cost_ = cost;
        return true;
    }

    /// Where a bisection begins: at the natural order first, then in turn at the best one, to improve it, and
    /// at a random one, to leave its neighbourhood.
    Order start(int run) {
        if (run == 0) return natural_order(graph_);
        return run % 2 == 1 ? best_ : shuffled(best_, random_);
    }

    void bisections() {
        int idle = 0;
        for (int run = 0; run < kMaxBisections && idle < kPatience; ++run) {
            if (excellent() || budget_.exhausted()) return;
            Arrangement arrangement(start(run));
            bisect(graph_, arrangement, random_, budget_);
            idle = consider(arrangement.order) ? 0 : idle + 1;
            if (idle > 0) continue;
            refine(graph_, arrangement, budget_);
            consider(arrangement.order);
        }
    }

    /// Whatever the search has spent, the winner gets its windows arranged.
    void polish() {
        Budget reserve(work_allowed(graph_) / kPolishFraction);
        Arrangement arrangement(best_);
        refine(graph_, arrangement, reserve);
        consider(std::move(arrangement.order));
    }

    const Hypergraph& graph_;
    std::mt19937_64 random_;
    Budget budget_;
    Order best_;
    Cost cost_;
};

Order by_method(const Hypergraph& graph, Method method, std::uint64_t seed) {
    Budget budget(work_allowed(graph));
    switch (method) {
        case Method::natural:
            return natural_order(graph);
        case Method::depth_first:
            return depth_first_order(graph);
        case Method::force:
            return force_order(graph, natural_order(graph), budget);
        case Method::bisection: {
            std::mt19937_64 random(seed);
            Arrangement arrangement(natural_order(graph));
            bisect(graph, arrangement, random, budget);
            return arrangement.order;
        }
        case Method::automatic:
            break;
    }
    return Search(graph, seed).run();
}

/// One component after the other: at no cut do two of them add up, so no interleaving is cheaper.
template <class Arrange>
Order by_components(const Hypergraph& graph, Arrange arrange) {
    Order order;
    const Rows components = graph.components();
    for (std::int32_t c = 0; c < components.size(); ++c) {
        const std::span<const Vertex> component = components[c];
        if (component.size() <= 2) {
            order.insert(order.end(), component.begin(), component.end());
            continue;
        }
        for (Vertex local : arrange(graph.restricted(component))) order.push_back(component[local]);
    }
    return order;
}

}  // namespace

Order level_order(const Hypergraph& graph, Method method, std::uint64_t seed) {
    Order natural = natural_order(graph);
    if (method == Method::natural) return natural;
    if (method == Method::automatic && cost_of(graph, natural).width <= kExcellentWidth) return natural;
    return by_components(graph, [&](const Hypergraph& part) { return by_method(part, method, seed); });
}

Guess quick_order(const Hypergraph& graph) {
    Guess found{natural_order(graph)};
    if (cost_of(graph, found.order).width <= kExcellentWidth) return found;
    found.order = by_components(graph, [&](const Hypergraph& part) {
        Search search(part, 0);
        if (!search.guess()) found.settled = false;
        return search.best();
    });
    return found;
}

}  // namespace qismc::order
