#pragma once

#include <algorithm>
#include <cstddef>

namespace qismc {

/// Decides when to look whether a train has so few terms that a list of them is better. What is looked at is
/// paid for by the steps in between, and looks in vain become rare; most of them end with an estimate.
class Lookout {
  public:
    static constexpr std::size_t kMostTerms = std::size_t{1} << 14;

    /// A step on the train took so many operations; is it time to look, given after how many the first look
    /// is?
    bool step(std::size_t operations, std::size_t first) {
        effort_ += operations;
        ++steps_;
        return effort_ >= patience_ * first;
    }

    /// A list of at most so many terms is better than the train: a step takes an operation for each of them.
    std::size_t affordable() const { return std::min(kMostTerms, effort_ / steps_ / kGain); }

    /// The operations that a look may take.
    std::size_t allowance() const { return effort_ / 2; }

    /// Nothing was found, or what was found did not last.
    void in_vain() {
        patience_ *= kRarer;
        effort_ = steps_ = 0;
    }

  private:
    static constexpr std::size_t kGain = 4;   // so many times better must a list be
    static constexpr std::size_t kRarer = 4;  // after a look in vain

    std::size_t effort_ = 0, steps_ = 0, patience_ = 1;
};

}  // namespace qismc
