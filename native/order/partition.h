#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "order/gain_buckets.h"
#include "order/segment.h"

namespace qismc::order {

/// A two-way split of a segment, improved by the method of Fiduccia and Mattheyses.
class Partition {
  public:
    /// side[i] is 0 if local vertex i goes to the left, 1 if to the right.
    using Sides = std::vector<char>;

    Partition(const Segment& segment, const Rows& incident);

    /// Starts from `sides`, moves single vertices while that helps, and returns the number of hyperedges
    /// across.
    std::int32_t improve(Sides sides);
    const Sides& sides() const { return sides_; }

    /// Pins visited so far.
    std::int64_t work() const { return work_; }

  private:
    void place(Sides sides);
    void fill_buckets();
    std::int32_t gain_of(std::int32_t vertex) const;
    bool pass();
    bool movable(int side) const;
    void move(std::int32_t vertex);
    void shift(std::int32_t vertex);
    template <class Chosen>
    void change_gains(std::int32_t edge, std::int32_t change, Chosen chosen);
    void undo(std::span<const std::int32_t> moves);

    const Segment& segment_;
    const Rows& incident_;
    Sides sides_;
    std::vector<std::int32_t> pins_on_[2];  // of each hyperedge, the world outside counting as one pin
    std::int32_t size_[2] = {0, 0};
    std::int32_t smallest_side_;
    std::int32_t cut_ = 0;
    GainBuckets free_[2];
    std::int64_t work_ = 0;
};

}  // namespace qismc::order
