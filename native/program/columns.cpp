#include "program/columns.h"

#include <algorithm>
#include <stdexcept>

namespace qismc::program {
namespace {

/// Numbers things below `size` anew in the order in which they are met.
class Renumbering {
  public:
    /// A table for all of them is made only where so many are asked for that it pays.
    Renumbering(std::size_t size, std::size_t asked) : table_(size <= kSparse * asked ? size : 0, -1) {}

    Index operator()(Index number, std::vector<Index>& met) {
        Index& place = table_.empty() ? places_.try_emplace(number, -1).first->second : table_[number];
        if (place < 0) {
            place = static_cast<Index>(met.size());
            met.push_back(number);
        }
        return place;
    }

  private:
    static constexpr std::size_t kSparse = 16;
    std::vector<Index> table_;
    std::unordered_map<Index, Index> places_;
};

void append(Rows& rows, std::span<const Index> local, std::span<const Index> on) {
    for (Index qubit : local) rows.items.push_back(on[qubit]);
    rows.offsets.push_back(static_cast<Index>(rows.items.size()));
}

void check_local(Index width, Index qubit) {
    if (qubit < 0 || qubit >= width) {
        throw std::invalid_argument("an operator on " + std::to_string(width) + " qubits acts on its qubit " +
                                    std::to_string(qubit));
    }
}

/// Width, then for each factor: its base, its targets and its controls with values, each list with its
/// length.
std::vector<Index> spelling(Index width, std::span<const Factor> factors) {
    std::vector<Index> found{width};
    for (const Factor& factor : factors) {
        found.push_back(factor.base);
        found.push_back(static_cast<Index>(factor.targets.size()));
        found.insert(found.end(), factor.targets.begin(), factor.targets.end());
        found.push_back(static_cast<Index>(factor.controls.size()));
        for (const auto& [control, value] : factor.controls) {
            found.push_back(control);
            found.push_back(value);
        }
    }
    return found;
}

}  // namespace

Index Operators::number_of(Index width, std::span<const Factor> factors) {
    const std::vector<Index> row = spelling(width, factors);
    const std::string key(reinterpret_cast<const char*>(row.data()), row.size() * sizeof(Index));
    const auto found = known_.find(key);
    if (found != known_.end()) return found->second;
    for (const Factor& factor : factors) {
        bases_count_ = std::max(bases_count_, factor.base + 1);
        for (Index target : factor.targets) check_local(width, target);
        for (const auto& [control, value] : factor.controls) check_local(width, control);
    }
    for (const Factor& factor : factors) keep(factor);
    ends_.push_back(static_cast<Index>(bases_.size()));
    spelled_.push(row);
    return known_.emplace(key, size() - 1).first->second;
}

void Operators::keep(const Factor& factor) {
    bases_.push_back(factor.base);
    targets_.push(factor.targets);
    for (const auto& [control, value] : factor.controls) {
        controls_.items.push_back(control);
        values_.push_back(value);
    }
    controls_.offsets.push_back(static_cast<Index>(controls_.items.size()));
}

void Columns::add(Index point, Index number, std::span<const Index> on) {
    if (static_cast<Index>(on.size()) < operators.width(number)) {
        throw std::invalid_argument("an operator on " + std::to_string(operators.width(number)) +
                                    " qubits is applied to " + std::to_string(on.size()));
    }
    if (number == static_cast<Index>(firsts.size())) firsts.push_back(point);
    points.push_back(point);
    numbers.push_back(number);
    qubits.push(on);
}

std::pair<std::size_t, std::size_t> Columns::between(Index first, Index last) const {
    const auto begin = std::lower_bound(points.begin(), points.end(), first);
    const auto end = std::lower_bound(begin, points.end(), last);
    return {begin - points.begin(), end - points.begin()};
}

Layout Columns::layout(Index first, Index last) const {
    Layout found;
    const auto [begin, end] = between(first, last);
    Renumbering bases(operators.bases(), end - begin), places(operators.size(), end - begin);
    std::vector<Index> met;
    for (std::size_t gate = begin; gate < end; ++gate) {
        const std::span<const Index> on = qubits[static_cast<Index>(gate)];
        const auto place = static_cast<std::size_t>(places(numbers[gate], met));
        if (place == found.counts.size()) found.counts.emplace_back(numbers[gate], 0);
        ++found.counts[place].second;
        for (Index factor = operators.begin(numbers[gate]); factor < operators.end(numbers[gate]); ++factor) {
            append(found.controls, operators.controls(factor), on);
            append(found.targets, operators.targets(factor), on);
            const auto values = operators.values(factor);
            found.values.insert(found.values.end(), values.begin(), values.end());
            found.chosen.push_back(bases(operators.base(factor), found.bases));
        }
    }
    return found;
}

Rows Columns::interactions() const {
    Rows found;
    for (std::size_t gate = 0; gate < numbers.size(); ++gate) {
        const std::span<const Index> on = qubits[static_cast<Index>(gate)];
        for (Index factor = operators.begin(numbers[gate]); factor < operators.end(numbers[gate]); ++factor) {
            const auto targets = operators.targets(factor), controls = operators.controls(factor);
            if (targets.size() + controls.size() < 2) continue;
            for (Index target : targets) found.items.push_back(on[target]);
            append(found, controls, on);
        }
    }
    return found;
}

}  // namespace qismc::program
