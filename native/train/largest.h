#pragma once

#include <algorithm>
#include <cstdint>

#include "train/train.h"

namespace qismc {

/// A basis state, one bit per level, and its amplitude.
template <class S>
struct Term {
    std::vector<std::uint8_t> bits;
    S amplitude;
};

/// right[k](i, j) = inner product of rows i and j of the part of the train from level k on.
template <class F>
std::vector<Matrix<typename F::Scalar>> right_environments(const F& f, const Train<F>& train) {
    using S = typename F::Scalar;
    std::vector<Matrix<S>> right(train.levels() + 1, identity(f, 1));
    for (int k = train.levels() - 1; k >= 0; --k) {
        const Site<S>& site = train.site(k);
        Matrix<S> gram(site.left, site.left);
        for (int x = 0; x < 2; ++x) {
            for (int i = 0; i < site.left; ++i) {
                std::vector<S> row(site.right());
                combine_rows(f, site.row(x, i), site.right(), right[k + 1].data.data(), site.right(),
                             site.right(), row.data());
                for (int j = 0; j < site.left; ++j) {
                    for (int c = 0; c < site.right(); ++c) {
                        gram(i, j) = f.add(gram(i, j), f.mul(row[c], f.conj(site.row(x, j)[c])));
                    }
                }
            }
        }
        right[k] = std::move(gram);
    }
    return right;
}

/// The `count` largest terms of an array of amplitudes, largest first; level 0 is the most significant bit.
template <class S>
std::vector<Term<S>> largest_terms(const std::vector<S>& amplitudes, int levels, int count) {
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < amplitudes.size(); ++i) {
        if (std::norm(amplitudes[i]) > 0) indices.push_back(i);
    }
    const auto larger = [&](std::size_t a, std::size_t b) {
        const double x = std::norm(amplitudes[a]), y = std::norm(amplitudes[b]);
        return x != y ? x > y : a < b;
    };
    const auto kept = std::min(indices.size(), static_cast<std::size_t>(count));
    std::partial_sort(indices.begin(), indices.begin() + static_cast<std::ptrdiff_t>(kept), indices.end(),
                      larger);
    std::vector<Term<S>> terms;
    for (std::size_t k = 0; k < kept; ++k) {
        std::vector<std::uint8_t> bits(levels);
        for (int level = 0; level < levels; ++level) bits[level] = (indices[k] >> (levels - 1 - level)) & 1;
        terms.push_back({std::move(bits), amplitudes[indices[k]]});
    }
    return terms;
}

/// About the `count` largest terms, largest first: level by level the likeliest beginnings are kept.
/// All terms are found if the state has at most `count`.
template <class F>
std::vector<Term<typename F::Scalar>> largest_terms(const F& f, const Train<F>& train, int count) {
    using S = typename F::Scalar;
    struct Beam {
        std::vector<std::uint8_t> bits;
        std::vector<S> row;
        double weight;
    };
    const auto right = right_environments(f, train);
    std::vector<Beam> beams{{{}, {f.one()}, 1.0}};
    for (int k = 0; k < train.levels(); ++k) {
        const Site<S>& site = train.site(k);
        std::vector<Beam> longer;
        for (const Beam& beam : beams) {
            for (std::uint8_t x = 0; x < 2; ++x) {
                Beam next{beam.bits, std::vector<S>(site.right()), 0.0};
                next.bits.push_back(x);
                combine_rows(f, beam.row.data(), site.left, site.row(x, 0), site.right(), site.right(),
                             next.row.data());
                std::vector<S> seen(site.right());
                combine_rows(f, next.row.data(), site.right(), right[k + 1].data.data(), site.right(),
                             site.right(), seen.data());
                for (int c = 0; c < site.right(); ++c)
                    next.weight += (seen[c] * std::conj(next.row[c])).real();
                if (next.weight > 0) longer.push_back(std::move(next));
            }
        }
        std::stable_sort(longer.begin(), longer.end(),
                         [](const Beam& a, const Beam& b) { return a.weight > b.weight; });
        if (longer.size() > 2 * static_cast<std::size_t>(count)) longer.resize(2 * count);
        beams = std::move(longer);
    }
    std::vector<Term<S>> terms;
    for (Beam& beam : beams) {
        if (terms.size() < static_cast<std::size_t>(count))
            terms.push_back({std::move(beam.bits), beam.row[0]});
    }
    return terms;
}

}  // namespace qismc
