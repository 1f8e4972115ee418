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

/// right[k](i, j) = inner product of rows i and j of the part of the train from level k on, for k up to the
/// centre; beyond, the rows are orthonormal.
template <class F, class S = typename F::Scalar>
std::vector<Matrix<S>> right_environments(const F& f, const Train<F>& train) {
    std::vector<Matrix<S>> right(train.centre + 1);
    for (int k = train.centre; k >= 0; --k) {
        const Site<S>& site = train.site(k);
        Matrix<S> gram(site.left, site.left);
        for (int x = 0; x < 2; ++x) {
            Matrix<S> letter(site.left, site.right()), adjoint(site.right(), site.left);
            std::copy_n(site.row(x, 0), letter.data.size(), letter.data.data());
            for (int i = 0; i < site.left; ++i) {
                for (int c = 0; c < site.right(); ++c) adjoint(c, i) = f.conj(letter(i, c));
            }
            const auto part =
                product(f, k == train.centre ? letter : product(f, letter, right[k + 1]), adjoint);
            add_scaled(f, f.one(), part.data.data(), gram.data.data(), static_cast<int>(part.data.size()));
        }
        right[k] = std::move(gram);
    }
    return right;
}

/// The squared length of what a row from the left becomes with all words on the right of level k.
template <class F, class S = typename F::Scalar>
double weight_behind(const F& f, const std::vector<S>& row, const std::vector<Matrix<S>>& right,
                     std::size_t k) {
    std::vector<S> seen = row;
    if (k + 1 < right.size()) {
        const int width = right[k + 1].cols;
        combine_rows(f, row.data(), width, right[k + 1].data.data(), width, width, seen.data());
    }
    double weight = 0;
    for (std::size_t c = 0; c < row.size(); ++c) weight += (seen[c] * std::conj(row[c])).real();
    return weight;
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
                next.weight = weight_behind(f, next.row, right, k);
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
