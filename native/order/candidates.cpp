#include "order/candidates.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>
#include <vector>

namespace qismc::order {
namespace {

constexpr int kForceRounds = 60;
constexpr int kForcePatience = 6;

/// The vertex that breadth-first search from `root` reaches last.
Vertex farthest(const Hypergraph& graph, Vertex root) {
    std::vector<char> seen_vertex(graph.vertices(), 0), seen_edge(graph.edges(), 0);
    std::vector<Vertex> queue{root};
    seen_vertex[root] = 1;
    for (std::size_t head = 0; head < queue.size(); ++head) {
        for (Edge edge : graph.incident(queue[head])) {
            if (seen_edge[edge]++) continue;
            for (Vertex pin : graph.pins(edge)) {
                if (!seen_vertex[pin]++) queue.push_back(pin);
            }
        }
    }
    return queue.back();
}

/// The vertices beside what is placed already, by what placing them would do to the cut.
class Frontier {
  public:
    explicit Frontier(const Hypergraph& graph)
        : graph_(graph), growth_(graph.vertices()), age_(graph.vertices(), kUnseen), open_(graph.edges(), 0) {
        for (Edge edge = 0; edge < graph.edges(); ++edge) missing_.push_back(std::ssize(graph.pins(edge)));
        for (Vertex v = 0; v < graph.vertices(); ++v) growth_[v] = std::ssize(graph.incident(v));
    }

    void discover(Vertex vertex) {
        age_[vertex] = --clock_;
        queue_.insert(key(vertex));
    }

    bool empty() const { return queue_.empty(); }

    Vertex place_next() {
        const Vertex vertex = std::get<2>(*queue_.begin());
        queue_.erase(queue_.begin());
        age_[vertex] = kPlaced;
        for (Edge edge : graph_.incident(vertex)) {
            if (!open_[edge]++) each_waiting(edge, [&](Vertex pin) { cheapen(pin); });
            if (--missing_[edge] == 1) each_waiting(edge, [&](Vertex pin) { cheapen(pin); });
        }
        return vertex;
    }

  private:
    using Key = std::tuple<std::int64_t, std::int64_t, Vertex>;
    static constexpr std::int64_t kUnseen = 0, kPlaced = 1;

    Key key(Vertex vertex) const { return {growth_[vertex], age_[vertex], vertex}; }

    template <class Action>
    void each_waiting(Edge edge, Action action) {
        for (Vertex pin : graph_.pins(edge)) {
            if (age_[pin] != kPlaced) action(pin);
        }
    }

    void cheapen(Vertex vertex) {
        if (age_[vertex] == kUnseen) discover(vertex);
        queue_.erase(key(vertex));
        --growth_[vertex];
        queue_.insert(key(vertex));
    }

    const Hypergraph& graph_;
    std::vector<std::int64_t> growth_;   // hyperedges the vertex would open, minus those it would close
    std::vector<std::int64_t> age_;      // negative: when it was discovered, the latest first
    std::vector<std::int64_t> missing_;  // pins not yet placed
    std::vector<char> open_;
    std::set<Key> queue_;
    std::int64_t clock_ = 0;
};

/// One round of FORCE: everyone to the mean of the centres of its hyperedges.
Order attracted(const Hypergraph& graph, const Order& order) {
    const std::vector<std::int32_t> position = positions(order);
    std::vector<double> centre(graph.edges()), target(graph.vertices());
    for (Edge edge = 0; edge < graph.edges(); ++edge) {
        double sum = 0;
        for (Vertex pin : graph.pins(edge)) sum += position[pin];
        centre[edge] = sum / static_cast<double>(graph.pins(edge).size());
    }
    for (Vertex vertex = 0; vertex < graph.vertices(); ++vertex) {
        double sum = 0;
        for (Edge edge : graph.incident(vertex)) sum += centre[edge];
        const std::size_t degree = graph.incident(vertex).size();
        target[vertex] = degree ? sum / static_cast<double>(degree) : position[vertex];
    }
    Order moved = order;
    std::stable_sort(moved.begin(), moved.end(), [&](Vertex a, Vertex b) { return target[a] < target[b]; });
    return moved;
}

}  // namespace

Order natural_order(const Hypergraph& graph) {
    Order order(graph.vertices());
    std::iota(order.begin(), order.end(), 0);
    return order;
}

Order depth_first_order(const Hypergraph& graph) {
    Order order;
    std::vector<char> placed(graph.vertices(), 0);
    Frontier frontier(graph);
    for (Vertex root = 0; root < graph.vertices(); ++root) {
        if (placed[root]) continue;
        frontier.discover(farthest(graph, farthest(graph, root)));
        while (!frontier.empty()) {
            order.push_back(frontier.place_next());
            placed[order.back()] = 1;
        }
    }
    return order;
}

Order force_order(const Hypergraph& graph, Order start, Budget& budget) {
    Order best = start;
    Cost best_cost = cost_of(graph, best);
    for (int round = 0, idle = 0; round < kForceRounds && idle < kForcePatience && !budget.exhausted();
         ++round) {
        start = attracted(graph, start);
        const Cost cost = cost_of(graph, start);
        budget.spend(3 * graph.pin_count() + 8 * graph.vertices());
        ++idle;
        if (cost < best_cost) {
            best = start;
            best_cost = cost;
            idle = 0;
        }
    }
    return best;
}

}  // namespace qismc::order
