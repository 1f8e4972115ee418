#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "limits/watch.h"

namespace qismc::boolean {

/// Raised where diagrams would need more nodes than allowed.
class TooManyNodes : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Reduced ordered binary decision diagrams: equal functions are the same node.
///
/// Nodes are numbers; 0 is false, 1 is true. Variables are ordered by their numbers and nodes are never
/// freed.
class Diagrams {
  public:
    using Node = std::uint32_t;
    using Variable = std::uint32_t;

    explicit Diagrams(std::size_t most_nodes);

    Node variable(Variable number);
    Node conjunction(Node left, Node right) { return apply(Operation::conjunction, left, right); }
    Node parity(Node left, Node right) { return apply(Operation::parity, left, right); }

    /// What a node asks, and where it leads; only of nodes from 2 on.
    Variable asked(Node node) const { return at(node).variable; }
    Node low(Node node) const { return at(node).low; }
    Node high(Node node) const { return at(node).high; }
    std::size_t size() const { return nodes_.size(); }
    /// Says when to stop: conjunctions and parities of large diagrams take long.
    Watch& watch() { return watch_; }

  private:
    enum class Operation : std::uint32_t { conjunction, parity };
    struct Entry {
        Variable variable;
        Node low, high;
    };
    struct Known {
        std::uint64_t operands = 0;
        Node result = 0;
        Operation operation = Operation::conjunction;
        bool filled = false;
    };

    const Entry& at(Node node) const;
    Node apply(Operation operation, Node left, Node right);
    Node make(Variable variable, Node low, Node high);
    void grow();

    Watch watch_;
    std::size_t most_;
    std::vector<Entry> nodes_;
    std::vector<Node> table_;   // a hash table of node numbers; 0 is an empty place
    std::vector<Known> known_;  // results, the latest one for each place
};

}  // namespace qismc::boolean
