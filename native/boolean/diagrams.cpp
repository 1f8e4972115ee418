#include "boolean/diagrams.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace qismc::boolean {
namespace {

constexpr std::uint32_t kNoVariable = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kFirstTable = 1 << 10, kMostKnown = 1 << 20;
constexpr std::size_t kStepWork = 50;  // scalar operations that one step is worth

std::uint64_t mixed(std::uint64_t value) {
    value ^= value >> 31;
    value *= 0x9e3779b97f4a7c15ULL;
    value ^= value >> 29;
    value *= 0xbf58476d1ce4e5b9ULL;
    return value ^ (value >> 32);
}

std::uint64_t pair(std::uint32_t left, std::uint32_t right) { return std::uint64_t{left} << 32 | right; }

}  // namespace

Diagrams::Diagrams(std::size_t most_nodes)
    : most_(most_nodes),
      nodes_{{kNoVariable, 0, 0}, {kNoVariable, 1, 1}},
      table_(kFirstTable),
      known_(kFirstTable) {}

const Diagrams::Entry& Diagrams::at(Node node) const {
    if (node < 2 || node >= nodes_.size()) throw std::out_of_range("no node " + std::to_string(node));
    return nodes_[node];
}

Diagrams::Node Diagrams::variable(Variable number) {
    if (number == kNoVariable) throw std::out_of_range("no variable has this number");
    return make(number, 0, 1);
}

Diagrams::Node Diagrams::make(Variable variable, Node low, Node high) {
    if (low == high) return low;
    const std::size_t mask = table_.size() - 1;
    std::size_t place = mixed(pair(low, high) ^ mixed(variable)) & mask;
    while (table_[place]) {
        const Entry& entry = nodes_[table_[place]];
        if (entry.variable == variable && entry.low == low && entry.high == high) return table_[place];
        place = (place + 1) & mask;
    }
    if (nodes_.size() >= most_) {
        throw TooManyNodes("decision diagrams of more than " + std::to_string(most_) + " nodes");
    }
    const auto made = static_cast<Node>(nodes_.size());
    nodes_.push_back({variable, low, high});
    table_[place] = made;
    if (2 * nodes_.size() > table_.size()) grow();
    return made;
}

void Diagrams::grow() {
    table_.assign(2 * table_.size(), 0);
    const std::size_t mask = table_.size() - 1;
    for (Node node = 2; node < nodes_.size(); ++node) {
        const Entry& entry = nodes_[node];
        std::size_t place = mixed(pair(entry.low, entry.high) ^ mixed(entry.variable)) & mask;
        while (table_[place]) place = (place + 1) & mask;
        table_[place] = node;
    }
    if (known_.size() < kMostKnown) known_.assign(table_.size(), {});
}

Diagrams::Node Diagrams::apply(Operation operation, Node left, Node right) {
    if (left > right) std::swap(left, right);
    if (right >= nodes_.size()) throw std::out_of_range("no node " + std::to_string(right));
    if (left == 0) return operation == Operation::conjunction ? 0 : right;
    if (left == right) return operation == Operation::conjunction ? left : 0;
    if (left == 1 && operation == Operation::conjunction) return right;
    const std::uint64_t operands = pair(left, right);
    const std::uint64_t hash = mixed(operands + static_cast<std::uint64_t>(operation));
    const Known& known = known_[hash & (known_.size() - 1)];
    if (known.filled && known.operands == operands && known.operation == operation) return known.result;
    watch_.work(kStepWork);
    const Entry ours = nodes_[left], theirs = nodes_[right];
    const Variable first = std::min(ours.variable, theirs.variable);
    const bool we = ours.variable == first, they = theirs.variable == first;
    const Node low = apply(operation, we ? ours.low : left, they ? theirs.low : right);
    const Node high = apply(operation, we ? ours.high : left, they ? theirs.high : right);
    const Node result = make(first, low, high);
    known_[hash & (known_.size() - 1)] = {operands, result, operation, true};  // the table may have grown
    return result;
}

}  // namespace qismc::boolean
