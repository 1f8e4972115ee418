#pragma once

#include <algorithm>

#include "train/apply.h"

namespace qismc {

/// The product of one-level states (a_k, b_k).
template <class F>
Train<F> product_train(Context<F>& context, const std::vector<typename F::Scalar>& pairs) {
    using S = typename F::Scalar;
    std::vector<Site<S>> sites;
    bool zero = false;
    for (std::size_t k = 0; k < pairs.size(); k += 2) {
        Site<S>& site = sites.emplace_back(1, 1);
        site.row(0, 0)[0] = pairs[k];
        site.row(1, 0)[0] = pairs[k + 1];
        zero |= all_zero(context.field, site.stacked.data);
    }
    Train<F> train(std::move(sites));
    if (zero) train.make_zero();
    if (!F::exact) reduce_all(context, train);
    return train;
}

/// Keeps a basis of a site's columns there; the rest goes on to the next site.
template <class F, class S = typename F::Scalar>
Matrix<S> split_off(Context<F>& context, Site<S>& site) {
    const int columns = site.right();
    context.watch.work(site.stacked.data.size() * std::min(2 * site.left, columns));
    auto parts = split_columns(context, site.stacked, false);
    if (parts.same) return identity(context.field, columns);
    site.stacked = std::move(parts.left);
    return std::move(parts.right);
}

/// The minimal train of a list of amplitudes.
template <class F>
Train<F> train_of_amplitudes(Context<F>& context, const std::vector<typename F::Scalar>& amplitudes,
                             int levels) {
    using S = typename F::Scalar;
    std::vector<Site<S>> sites;
    Matrix<S> rest(1, static_cast<int>(amplitudes.size()));
    rest.data = amplitudes;
    for (int k = 0; k < levels; ++k) {
        // Rows (bond, letter) instead of (letter, bond): splitting wants the letters stacked.
        const int left = rest.rows, tail = rest.cols / 2;
        Site<S> site(left, tail);
        for (int i = 0; i < left; ++i) {
            std::copy(rest.row(i), rest.row(i) + tail, site.row(0, i));
            std::copy(rest.row(i) + tail, rest.row(i) + 2 * tail, site.row(1, i));
        }
        if (k + 1 < levels) rest = split_off(context, site);
        sites.push_back(std::move(site));
    }
    Train<F> train(std::move(sites));
    reduce_all(context, train);
    return train;
}

/// Have all trains the same site k, with bonds of 1? Then their sum has it, too.
template <class F>
bool is_common(const std::vector<const Train<F>*>& trains, int k) {
    const auto& site = trains.front()->site(k);
    return std::all_of(trains.begin(), trains.end(), [&](const Train<F>* t) {
        const auto& other = t->site(k);
        return other.nodes() == 1 && other.stacked.data == site.stacked.data;
    });
}

/// Site k of the block-diagonal sum: one row if it is the first, one column if it is the last.
template <class F>
Site<typename F::Scalar> sum_site(const F& field, const std::vector<typename F::Scalar>& coefficients,
                                  const std::vector<const Train<F>*>& trains, int k, bool first, bool last) {
    using S = typename F::Scalar;
    int left = 0, right = 0;
    for (const auto* t : trains) {
        left += t->site(k).left;
        right += t->site(k).right();
    }
    Site<S> sum(first ? 1 : left, last ? 1 : right);
    int row = 0, column = 0;
    for (std::size_t t = 0; t < trains.size(); ++t) {
        const Site<S>& site = trains[t]->site(k);
        const S scale = first ? coefficients[t] : field.one();
        for (int x = 0; x < 2; ++x) {
            for (int i = 0; i < site.left; ++i) {
                add_scaled(field, scale, site.row(x, i), sum.row(x, row + i) + column, site.right());
            }
        }
        row += first ? 0 : site.left;
        column += last ? 0 : site.right();
    }
    return sum;
}

/// sum of c_i * v_i: block-diagonal sites, then reduced. Exact trains keep the outer sites that they share.
template <class F>
Train<F> sum_at_once(Context<F>& context, const std::vector<typename F::Scalar>& coefficients,
                     const std::vector<const Train<F>*>& trains) {
    const int last = trains.front()->levels() - 1;
    int lo = 0, hi = last;
    if (F::exact) {
        while (lo < hi && is_common(trains, lo)) ++lo;
        while (lo < hi && is_common(trains, hi)) --hi;
    }
    Train<F> train = *trains.front();
    for (int k = lo; k <= hi; ++k) {
        train.replace(k, sum_site(context.field, coefficients, trains, k, k == lo, k == hi));
    }
    context.watch.claim(train.bytes());
    reduce_between(context, train, lo, hi);
    return train;
}

inline constexpr std::size_t kFewTerms = 4;

/// sum of c_i * v_i. Many exact terms are added in halves: what the terms of a half have in common is
/// reduced before the halves meet. Rounding decides at the scale of the whole sum, so complex terms are not.
template <class F>
Train<F> sum_train(Context<F>& context, const std::vector<typename F::Scalar>& coefficients,
                   const std::vector<const Train<F>*>& trains) {
    if (!F::exact || trains.size() <= kFewTerms) return sum_at_once(context, coefficients, trains);
    const auto middle = static_cast<std::ptrdiff_t>(trains.size() / 2);
    const auto half = [&](std::ptrdiff_t first, std::ptrdiff_t last) {
        return sum_train<F>(context, {coefficients.begin() + first, coefficients.begin() + last},
                            {trains.begin() + first, trains.begin() + last});
    };
    const Train<F> left = half(0, middle), right = half(middle, static_cast<std::ptrdiff_t>(trains.size()));
    const auto one = context.field.one();
    return sum_at_once<F>(context, {one, one}, {&left, &right});
}

}  // namespace qismc
