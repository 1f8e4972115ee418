#pragma once

#include <cstdint>
#include <vector>

namespace qismc::order {

/// Vertices sorted by gain in -bound .. bound; insertion, removal and change of gain take constant time.
class GainBuckets {
  public:
    GainBuckets(std::int32_t vertices, std::int32_t bound)
        : bound_(bound),
          gain_(vertices),
          next_(vertices),
          previous_(vertices),
          in_(vertices),
          head_(2 * bound + 1) {
        clear();
    }

    void clear() {
        head_.assign(head_.size(), kNone);
        in_.assign(in_.size(), 0);
        top_ = -bound_;
    }

    bool contains(std::int32_t vertex) const { return in_[vertex] != 0; }

    void insert(std::int32_t vertex, std::int32_t gain) {
        std::int32_t& head = head_[gain + bound_];
        next_[vertex] = head;
        previous_[vertex] = kNone;
        if (head != kNone) previous_[head] = vertex;
        head = vertex;
        gain_[vertex] = gain;
        in_[vertex] = 1;
        if (gain > top_) top_ = gain;
    }

    void remove(std::int32_t vertex) {
        const std::int32_t before = previous_[vertex], after = next_[vertex];
        (before == kNone ? head_[gain_[vertex] + bound_] : next_[before]) = after;
        if (after != kNone) previous_[after] = before;
        in_[vertex] = 0;
    }

    void change(std::int32_t vertex, std::int32_t by) {
        remove(vertex);
        insert(vertex, gain_[vertex] + by);
    }

    /// A vertex of the highest gain, the one changed last among equals; -1 if there is none.
    std::int32_t best() {
        while (top_ > -bound_ && head_[top_ + bound_] == kNone) --top_;
        return head_[top_ + bound_];
    }

    std::int32_t gain(std::int32_t vertex) const { return gain_[vertex]; }

  private:
    static constexpr std::int32_t kNone = -1;

    std::int32_t bound_, top_ = 0;
    std::vector<std::int32_t> gain_, next_, previous_;
    std::vector<char> in_;
    std::vector<std::int32_t> head_;
};

}  // namespace qismc::order
