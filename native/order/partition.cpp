#include "order/partition.h"

#include <algorithm>

namespace qismc::order {
namespace {

constexpr int kMaxPasses = 6;
/// Sides may differ from one half by this fraction of the vertices: a good cut matters more than equal sides.
constexpr std::int32_t kSlackFraction = 8;

std::int32_t largest_degree(const Rows& incident) {
    std::int32_t degree = 0;
    for (std::int32_t vertex = 0; vertex < incident.size(); ++vertex) {
        degree = std::max(degree, static_cast<std::int32_t>(incident[vertex].size()));
    }
    return degree;
}

}  // namespace

Partition::Partition(const Segment& segment, const Rows& incident)
    : segment_(segment),
      incident_(incident),
      smallest_side_(std::max(1, segment.size() / 2 - std::max(1, segment.size() / kSlackFraction))),
      free_{{segment.size(), largest_degree(incident)}, {segment.size(), largest_degree(incident)}} {}

std::int32_t Partition::improve(Sides sides) {
    place(std::move(sides));
    for (int round = 0; round < kMaxPasses && pass(); ++round) continue;
    return cut_;
}

void Partition::place(Sides sides) {
    sides_ = std::move(sides);
    size_[1] = static_cast<std::int32_t>(std::count(sides_.begin(), sides_.end(), 1));
    size_[0] = segment_.size() - size_[1];
    pins_on_[0].assign(segment_.to_left.begin(), segment_.to_left.end());
    pins_on_[1].assign(segment_.to_right.begin(), segment_.to_right.end());
    cut_ = 0;
    for (std::int32_t edge = 0; edge < segment_.pins.size(); ++edge) {
        for (std::int32_t pin : segment_.pins[edge]) ++pins_on_[static_cast<int>(sides_[pin])][edge];
        cut_ += pins_on_[0][edge] > 0 && pins_on_[1][edge] > 0;
    }
    work_ += segment_.work();
}

std::int32_t Partition::gain_of(std::int32_t vertex) const {
    const int from = sides_[vertex];
    std::int32_t gain = 0;
    for (std::int32_t edge : incident_[vertex]) {
        gain += pins_on_[from][edge] == 1;
        gain -= pins_on_[1 - from][edge] == 0;
    }
    return gain;
}

void Partition::fill_buckets() {
    for (GainBuckets& buckets : free_) buckets.clear();
    for (std::int32_t vertex = 0; vertex < segment_.size(); ++vertex) {
        free_[static_cast<int>(sides_[vertex])].insert(vertex, gain_of(vertex));
    }
    work_ += segment_.work();
}

bool Partition::movable(int side) const { return size_[side] > smallest_side_; }

/// Moves every vertex once, the best first, and keeps the prefix of the moves that led to the smallest cut.
bool Partition::pass() {
    fill_buckets();
    const std::int32_t before = cut_;
    std::int32_t smallest = cut_;
    std::size_t kept = 0;
    std::vector<std::int32_t> moves;
    while (true) {
        const std::int32_t left = movable(0) ? free_[0].best() : -1;
        const std::int32_t right = movable(1) ? free_[1].best() : -1;
        if (left < 0 && right < 0) break;
        const bool take_left =
            right < 0 || (left >= 0 && free_[0].gain(left) > free_[1].gain(right)) ||
            (left >= 0 && free_[0].gain(left) == free_[1].gain(right) && size_[0] >= size_[1]);
        const std::int32_t vertex = take_left ? left : right;
        move(vertex);
        moves.push_back(vertex);
        if (cut_ < smallest) {
            smallest = cut_;
            kept = moves.size();
        }
    }
    undo(std::span(moves).subspan(kept));
    cut_ = smallest;
    return smallest < before;
}

void Partition::move(std::int32_t vertex) {
    GainBuckets& buckets = free_[static_cast<int>(sides_[vertex])];
    cut_ -= buckets.gain(vertex);
    buckets.remove(vertex);
    for (std::int32_t edge : incident_[vertex]) {
        const int from = sides_[vertex], to = 1 - from;
        if (pins_on_[to][edge] == 0) change_gains(edge, +1, [](int) { return true; });
        if (pins_on_[to][edge] == 1) change_gains(edge, -1, [=](int side) { return side == to; });
        --pins_on_[from][edge];
        ++pins_on_[to][edge];
        if (pins_on_[from][edge] == 0) change_gains(edge, -1, [](int) { return true; });
        if (pins_on_[from][edge] == 1) change_gains(edge, +1, [=](int side) { return side == from; });
    }
    shift(vertex);
}

template <class Chosen>
void Partition::change_gains(std::int32_t edge, std::int32_t change, Chosen chosen) {
    for (std::int32_t pin : segment_.pins[edge]) {
        GainBuckets& buckets = free_[static_cast<int>(sides_[pin])];
        if (chosen(sides_[pin]) && buckets.contains(pin)) buckets.change(pin, change);
    }
    work_ += std::ssize(segment_.pins[edge]);
}

void Partition::shift(std::int32_t vertex) {
    --size_[static_cast<int>(sides_[vertex])];
    sides_[vertex] ^= 1;
    ++size_[static_cast<int>(sides_[vertex])];
}

void Partition::undo(std::span<const std::int32_t> moves) {
    for (std::size_t k = moves.size(); k-- > 0;) {
        const std::int32_t vertex = moves[k];
        const int from = sides_[vertex];
        for (std::int32_t edge : incident_[vertex]) {
            --pins_on_[from][edge];
            ++pins_on_[1 - from][edge];
        }
        shift(vertex);
    }
}

}  // namespace qismc::order
