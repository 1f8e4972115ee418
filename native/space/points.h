#pragma once

#include "field/montgomery.h"

namespace qismc {

/// A stream of random words that is a function of (seed, point, level) alone (splitmix64), so that sketches
/// of one space can be compared whenever and wherever they are made.
class PointStream {
  public:
    PointStream(Word seed, Word point, Word level) : state_(mix(seed) ^ mix(point * 2 + 1)) {
        state_ = mix(state_ + mix(level));
    }

    Word operator()() { return mix(state_ += kStep); }

  private:
    static constexpr Word kStep = 0x9E3779B97F4A7C15u;

    static Word mix(Word x) {
        x += kStep;
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
        x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
        return x ^ (x >> 31);
    }

    Word state_;
};

}  // namespace qismc
