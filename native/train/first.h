#pragma once

#include <cstdint>
#include <stdexcept>

#include "train/train.h"

namespace qismc {

/// The first word, level 0 being the most significant bit, whose amplitude is not zero; no bits for the zero
/// vector. Exact fields only.
///
/// Bonds are minimal, so the rows of the part of the train behind any level are independent: whatever row of
/// numbers is not zero there can be continued to an amplitude that is not.
template <class F>
std::vector<std::uint8_t> first_word(const F& f, const Train<F>& train) {
    using S = typename F::Scalar;
    if (all_zero(f, train.site(0).stacked.data)) return {};
    std::vector<std::uint8_t> bits;
    std::vector<S> row{f.one()}, next;
    for (int k = 0; k < train.levels(); ++k) {
        const Site<S>& site = train.site(k);
        std::uint8_t x = 0;
        for (; x < 2; ++x) {
            next.assign(site.right(), f.zero());
            combine_rows(f, row.data(), site.left, site.row(x, 0), site.right(), site.right(), next.data());
            if (!all_zero(f, next)) break;
        }
        if (x == 2) throw std::logic_error("a train has more bonds than it needs");
        bits.push_back(x);
        row.swap(next);
    }
    return bits;
}

}  // namespace qismc
