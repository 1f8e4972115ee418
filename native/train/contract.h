#pragma once

#include "train/evaluate.h"
#include "train/reduce.h"

namespace qismc {

/// Sums the levels of `bra` away: the result at y is the sum over x of bra(x) train(x, y). `place[k]` is the
/// level of bra that level k of the train meets, or -1 if it stays.
template <class F>
Train<F> contract_train(Context<F>& context, const Train<F>& train, const std::vector<int>& place,
                        const Train<F>& bra) {
    using S = typename F::Scalar;
    const F& f = context.field;
    std::vector<Site<S>> sites;
    Matrix<S> carry = identity(f, 1);  // rows: the new bond; columns: (bra bond, train bond)
    int width = 1;                     // of the bra bond
    for (int k = 0; k < train.levels(); ++k) {
        const Site<S>& site = train.site(k);
        const int meets = place[k], next = meets < 0 ? width : bra.site(meets).right();
        Site<S> out(carry.rows, next * site.right());
        std::vector<S> part(site.right());
        for (int i = 0; i < carry.rows; ++i) {
            for (int b = 0; b < width; ++b) {
                for (int x = 0; x < 2; ++x) {
                    combine_rows(f, carry.row(i) + b * site.left, site.left, site.row(x, 0), site.right(),
                                 site.right(), part.data());
                    for (int c = meets < 0 ? b : 0; c < (meets < 0 ? b + 1 : next); ++c) {
                        const S weight = meets < 0 ? f.one() : bra.site(meets).row(x, b)[c];
                        S* to = out.row(meets < 0 ? x : 0, i) + c * site.right();
                        add_scaled(f, weight, part.data(), to, site.right());
                    }
                }
            }
        }
        width = next;
        context.watch.work(carry.data.size() * out.stacked.cols);
        if (meets >= 0) {
            out.stacked.data.resize(out.stacked.data.size() / 2);
            out.stacked.rows /= 2;
            carry = std::move(out.stacked);
            continue;
        }
        auto parts = split_columns(context, out.stacked, false);
        if (parts.same) parts = {std::move(out.stacked), identity(f, next * site.right())};
        carry = std::move(parts.right);
        sites.emplace_back(out.left, std::move(parts.left));
    }
    sites.back().stacked = product(f, sites.back().stacked, carry);
    Train<F> result(std::move(sites));
    reduce_all(context, result);
    return result;
}

}  // namespace qismc
