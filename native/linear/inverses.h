#pragma once

#include <array>
#include <bit>

#include "field/long_quadratic_field.h"
#include "field/quadratic_field.h"
#include "field/twin_field.h"

namespace qismc {

/// A small cache of inverses: pivots are mostly a few powers of 1/sqrt2, and an inversion costs 90 products.
template <class F>
class Inverses {
  public:
    using S = typename F::Scalar;

    S operator()(const F& f, S a) {
        if (a == f.one()) return a;
        auto& [key, value] = slots_[slot(a)];
        if (!(key == a)) {
            value = f.inv(a);
            key = a;
        }
        return value;
    }

  private:
    static std::size_t slot(Word a) { return (a * 0x9E3779B97F4A7C15u) >> 56; }
    static std::size_t slot(Gaussian a) { return slot(a.re ^ std::rotl(a.im, 32)); }
    static std::size_t slot(Wide a) { return slot(Twin{static_cast<Word>(a), static_cast<Word>(a >> 64)}); }
    static std::size_t slot(LongGaussian a) { return slot(a.re ^ a.im << 1); }
    static std::size_t slot(Twin a) { return slot(a.first ^ std::rotl(a.second, 32)); }

    std::array<std::pair<S, S>, 256> slots_{};  // 0 is never asked for, so an empty slot matches nothing
};

}  // namespace qismc
