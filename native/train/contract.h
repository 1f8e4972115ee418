#pragma once

#include <algorithm>

#include "train/evaluate.h"
#include "train/reduce.h"

namespace qismc {

namespace detail {

/// carry times a site that stays: columns (bra bond, train bond), the bra bond passing through.
template <class F, class S = typename F::Scalar>
Site<S> pass_site(const F& f, const Matrix<S>& carry, const Site<S>& site) {
    const int width = carry.cols / site.left, right = site.right();
    Site<S> out(carry.rows, width * right);
    for (int x = 0; x < 2; ++x) {
        for (int b = 0; b < width; ++b) {
            const auto rows = rows_of(carry);
            multiply<F>(f, {rows.data + b * site.left, rows.stride}, site.of(x),
                        {out.row(x, 0) + b * right, out.of(x).stride}, carry.rows, site.left, right);
        }
    }
    return out;
}

/// carry times a site that meets the bra's: the sum over the level of both.
template <class F, class S = typename F::Scalar>
Matrix<S> meet_sites(const F& f, const Matrix<S>& carry, const Site<S>& bra, const Site<S>& site) {
    const int right = site.right();
    Matrix<S> out(carry.rows, bra.right() * right);
    std::vector<S> part(right);
    for (int i = 0; i < carry.rows; ++i) {
        for (int b = 0; b < bra.left; ++b) {
            for (int x = 0; x < 2; ++x) {
                combine_rows(f, carry.row(i) + b * site.left, site.left, site.row(x, 0), right, right,
                             part.data());
                for (int c = 0; c < bra.right(); ++c) {
                    add_scaled(f, bra.row(x, b)[c], part.data(), out.row(i) + c * right, right);
                }
            }
        }
    }
    return out;
}

}  // namespace detail

/// Sums the levels of `bra` away: the result at y is the sum over x of bra(x) train(x, y). `place[k]` is the
/// level of bra that level k of the train meets, or -1 if it stays.
template <class F>
Train<F> contract_train(Context<F>& context, const Train<F>& train, const std::vector<int>& place,
                        const Train<F>& bra) {
    using S = typename F::Scalar;
    const F& f = context.field;
    std::vector<Site<S>> sites;
    Matrix<S> carry = identity(f, 1);  // rows: the new bond; columns: (bra bond, train bond)
    for (int k = 0; k < train.levels(); ++k) {
        const Site<S>& site = train.site(k);
        context.watch.work(2 * carry.data.size() * site.right());
        if (place[k] >= 0) {
            carry = detail::meet_sites(f, carry, bra.site(place[k]), site);
            continue;
        }
        Site<S> out = detail::pass_site(f, carry, site);
        const int width = out.right();
        auto parts = split_columns(context, out.stacked, false);
        if (parts.same) parts = {std::move(out.stacked), identity(f, width)};
        carry = std::move(parts.right);
        sites.emplace_back(out.left, std::move(parts.left));
    }
    sites.back().stacked = product(f, sites.back().stacked, carry);
    Train<F> result(std::move(sites));
    reduce_all(context, result);
    return result;
}

/// The train with further levels in state 0. `place[k]` is the level of the train that stands at level k of
/// the result, or -1 for a further one. Their sites are orthonormal from either side.
template <class F>
Train<F> embed_train(const F& f, const Train<F>& train, const std::vector<int>& place) {
    using S = typename F::Scalar;
    std::vector<Site<S>> sites;
    for (const int level : place) {
        if (level >= 0) {
            sites.push_back(train.site(level));
            continue;
        }
        const int bond = sites.empty() ? 1 : sites.back().right();
        Site<S>& site = sites.emplace_back(bond, bond);
        for (int i = 0; i < bond; ++i) site.row(0, i)[i] = f.one();
    }
    Train<F> result(std::move(sites));
    if constexpr (!F::exact)
        result.centre = static_cast<int>(std::ranges::find(place, train.centre) - place.begin());
    return result;
}

}  // namespace qismc
