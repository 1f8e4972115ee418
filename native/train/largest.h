#pragma once

#include <algorithm>
#include <cstdint>

#include "linear/rank.h"
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
std::vector<Matrix<S>> right_environments(Context<F>& context, const Train<F>& train) {
    const F& f = context.field;
    std::vector<Matrix<S>> right(train.centre + 1);
    for (int k = train.centre; k >= 0; --k) {
        const Site<S>& site = train.site(k);
        context.watch.work(2 * site.stacked.data.size() * (site.left + site.right()));
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
std::vector<Term<typename F::Scalar>> largest_terms(Context<F>& context, const Train<F>& train, int count) {
    using S = typename F::Scalar;
    struct Beam {
        std::uint32_t step;  // twice the number of the beam that it prolongs, plus its bit
        std::vector<S> row;
        double weight;
    };
    const F& f = context.field;
    const auto right = right_environments(context, train);
    const int levels = train.levels();
    std::vector<Beam> beams{{0, {f.one()}, 1.0}};
    std::vector<std::vector<std::uint32_t>> steps(levels);
    for (int k = 0; k < levels; ++k) {
        const Site<S>& site = train.site(k);
        context.watch.work(beams.size() * (site.stacked.data.size() + 2 * site.right()));
        std::vector<Beam> longer;
        for (std::size_t b = 0; b < beams.size(); ++b) {
            for (std::uint32_t x = 0; x < 2; ++x) {
                Beam next{static_cast<std::uint32_t>(2 * b + x), std::vector<S>(site.right()), 0.0};
                combine_rows(f, beams[b].row.data(), site.left, site.row(x, 0), site.right(), site.right(),
                             next.row.data());
                next.weight = weight_behind(f, next.row, right, k);
                if (next.weight > 0) longer.push_back(std::move(next));
            }
        }
        std::stable_sort(longer.begin(), longer.end(),
                         [](const Beam& a, const Beam& b) { return a.weight > b.weight; });
        if (longer.size() > 2 * static_cast<std::size_t>(count)) longer.resize(2 * count);
        for (const Beam& beam : longer) steps[k].push_back(beam.step);
        beams = std::move(longer);
    }
    std::vector<Term<S>> terms;
    for (std::size_t b = 0; b < std::min(beams.size(), static_cast<std::size_t>(count)); ++b) {
        context.watch.work(levels);
        std::vector<std::uint8_t> bits(levels);
        std::size_t at = b;
        for (int k = levels - 1; k >= 0; --k) {
            bits[k] = steps[k][at] & 1;
            at = steps[k][at] >> 1;
        }
        terms.push_back({std::move(bits), beams[b].row[0]});
    }
    return terms;
}

}  // namespace qismc
