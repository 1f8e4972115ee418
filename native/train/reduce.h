#pragma once

#include "linear/rank.h"
#include "train/train.h"

namespace qismc {

/// Operations per entry and rank of a split: over complex numbers columns are projected, cleared and
/// measured.
template <class F>
inline constexpr std::size_t kSplitCost = F::exact ? 1 : 3;

/// The matrix [A0 A1]: its row rank is the rank of the bond on the left.
template <class S>
Matrix<S> side_by_side(const Site<S>& site) {
    const int r = site.right();
    Matrix<S> m(site.left, 2 * r);
    for (int i = 0; i < site.left; ++i) {
        std::copy(site.row(0, i), site.row(0, i) + r, m.row(i));
        std::copy(site.row(1, i), site.row(1, i) + r, m.row(i) + r);
    }
    return m;
}

template <class S>
Site<S> from_side_by_side(const Matrix<S>& m) {
    const int r = m.cols / 2;
    Site<S> site(m.rows, r);
    for (int i = 0; i < m.rows; ++i) {
        std::copy(m.row(i), m.row(i) + r, site.row(0, i));
        std::copy(m.row(i) + r, m.row(i) + 2 * r, site.row(1, i));
    }
    return site;
}

/// The site with A[x] replaced by carry * A[x].
template <class F, class S = typename F::Scalar>
Site<S> absorb_left(const F& f, const Matrix<S>& carry, const Site<S>& site) {
    Site<S> out(carry.rows, site.right());
    for (int x = 0; x < 2; ++x) {
        multiply<F>(f, rows_of(carry), site.of(x), out.of(x), carry.rows, carry.cols, site.right());
    }
    return out;
}

/// Reduces the bond on the right of site k and moves the rest on; whether the bond shrank.
template <class F>
bool step_right(Context<F>& context, Train<F>& train, int k, bool truncate) {
    const auto& site = train.site(k);
    const int before = site.right(), left = site.left;
    context.watch.work(kSplitCost<F> * site.stacked.data.size() * before);
    auto parts = split_columns(context, site.stacked, truncate);
    if (parts.same) return false;
    train.replace(k, {left, std::move(parts.left)});
    train.replace(k + 1, absorb_left(context.field, parts.right, train.site(k + 1)));
    return parts.right.rows < before;
}

/// Reduces the bond on the left of site k and moves the rest on; whether the bond shrank.
template <class F>
bool step_left(Context<F>& context, Train<F>& train, int k, bool canonical = false) {
    const int before = train.site(k).left;
    context.watch.work(kSplitCost<F> * train.site(k).stacked.data.size() * before);
    auto parts = split_rows(context, side_by_side(train.site(k)), canonical);
    if (parts.same) return false;
    train.replace(k, from_side_by_side(parts.right));
    const auto& previous = train.site(k - 1);
    train.replace(k - 1, {previous.left, product(context.field, previous.stacked, parts.left)});
    return parts.left.cols < before;
}

/// Complex only: moves the orthogonality centre into [lo, hi].
template <class F>
void centre_within(Context<F>& context, Train<F>& train, int lo, int hi) {
    if constexpr (!F::exact) {
        for (; train.centre < lo; ++train.centre) step_right(context, train, train.centre, false);
        for (; train.centre > hi; --train.centre) step_left(context, train, train.centre);
    }
}

/// Makes bonds minimal again after sites lo..hi changed, the bonds inside having been reduced from the left.
/// With `outward` the map was singular: goes on to both sides as long as ranks drop.
template <class F>
void reduce(Context<F>& context, Train<F>& train, int lo, int hi, bool outward) {
    int end = hi;
    if (outward && all_zero(context.field, train.site(hi).stacked.data)) return train.make_zero();
    for (bool drops = outward; drops && end + 1 < train.levels(); ++end) {
        drops = step_right(context, train, end, true);
    }
    for (int k = end; k > lo; --k) step_left(context, train, k);
    train.centre = lo;
    for (bool drops = outward; drops && train.centre > 0; --train.centre) {
        drops = step_left(context, train, train.centre);
    }
}

/// Makes the bonds inside of sites lo..hi minimal, whatever they were; those around them are 1.
template <class F>
void reduce_between(Context<F>& context, Train<F>& train, int lo, int hi, bool canonical = false) {
    for (int k = lo; k < hi; ++k) step_right(context, train, k, false);
    if (all_zero(context.field, train.site(hi).stacked.data)) return train.make_zero();
    for (int k = hi; k > lo; --k) step_left(context, train, k, canonical);
    train.centre = lo;
}

/// Makes all bonds minimal, whatever they were; with `canonical` equal rays get equal trains (exact only).
template <class F>
void reduce_all(Context<F>& context, Train<F>& train, bool canonical = false) {
    reduce_between(context, train, 0, train.levels() - 1, canonical);
}

}  // namespace qismc
