#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "order/hypergraph.h"

namespace qismc::program {

using Index = std::int32_t;
using order::Rows;

/// Matrix number `base` on targets, where all controls have their values; qubits are those of the operator.
struct Factor {
    Index base;
    std::vector<Index> targets;
    std::vector<std::pair<Index, std::uint8_t>> controls;
};

/// Operators that do different things, by number; factors of one follow those of the one before.
class Operators {
  public:
    /// The number of the product of `factors` (the first acts first) on local qubits 0 .. width - 1.
    Index number_of(Index width, std::span<const Factor> factors);

    Index size() const { return spelled_.size(); }
    /// One more than the greatest number of a matrix.
    Index bases() const { return bases_count_; }
    Index width(Index number) const { return spelled_[number].front(); }

    /// One list of integers for each operator; equal lists are equal operators.
    const Rows& spelled() const { return spelled_; }

    /// The factors of an operator are those from begin(number) to before end(number).
    Index begin(Index number) const { return ends_[number]; }
    Index end(Index number) const { return ends_[number + 1]; }

    Index base(Index factor) const { return bases_[factor]; }
    std::span<const Index> targets(Index factor) const { return targets_[factor]; }
    std::span<const Index> controls(Index factor) const { return controls_[factor]; }
    std::span<const std::uint8_t> values(Index factor) const {
        return {values_.data() + controls_.offsets[factor], controls_[factor].size()};
    }

  private:
    void keep(const Factor& factor);

    std::unordered_map<std::string, Index> known_;
    Index bases_count_ = 0;
    Rows spelled_;
    std::vector<Index> ends_{0};
    std::vector<Index> bases_;
    Rows targets_;
    Rows controls_;
    std::vector<std::uint8_t> values_;
};

/// Where the factors of some gates act: row j is factor j, and its matrix is bases[chosen[j]].
struct Layout {
    Rows controls;
    std::vector<std::uint8_t> values;
    Rows targets;
    std::vector<Index> chosen;
    std::vector<Index> bases;
    /// The different operators in the order in which they first occur, and how often each does.
    std::vector<std::pair<Index, Index>> counts;
};

/// The gates of a program: gate k stands at points[k] and applies operator numbers[k] to the row qubits[k].
struct Columns {
    Operators operators;
    std::vector<Index> points;
    std::vector<Index> numbers;
    Rows qubits;
    /// The points where no gate stands.
    std::vector<Index> crossings;
    /// Where each operator stands first.
    std::vector<Index> firsts;

    /// The next gate; throws std::invalid_argument if the operator is wider.
    void add(Index point, Index number, std::span<const Index> on);

    /// The numbers of the gates at the points first <= p < last: from the first one to before the second.
    std::pair<std::size_t, std::size_t> between(Index first, Index last) const;

    Layout layout(Index first, Index last) const;

    /// For each gate the sets of two or more qubits that its factors act on together.
    Rows interactions() const;
};

}  // namespace qismc::program
