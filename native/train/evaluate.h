#pragma once

#include "train/train.h"

namespace qismc {

/// A row vector times (weight0 * A[0] + weight1 * A[1]).
template <class F, class S = typename F::Scalar>
std::vector<S> evaluate_site(const F& f, const std::vector<S>& row, const Site<S>& site, S weight0,
                             S weight1) {
    const int n = site.left;
    std::vector<S> weights(2 * n), out(site.right());
    for (int i = 0; i < n; ++i) {
        weights[i] = f.mul(row[i], weight0);
        weights[n + i] = f.mul(row[i], weight1);
    }
    combine_rows(f, weights.data(), 2 * n, site.stacked.data.data(), site.right(), site.right(), out.data());
    return out;
}

/// The value of the train at a product functional, weights(k) giving the pair of level k.
template <class F, class Weights>
typename F::Scalar evaluate(const F& f, const Train<F>& train, Weights weights) {
    std::vector<typename F::Scalar> row{f.one()};
    for (int k = 0; k < train.levels(); ++k) {
        const auto [w0, w1] = weights(k);
        row = evaluate_site(f, row, train.site(k), w0, w1);
    }
    return row[0];
}

/// Sum over all x of u(x) v(x), with u conjugated on demand.
template <class F>
typename F::Scalar pair_up(const F& f, const Train<F>& u, const Train<F>& v, bool conjugate) {
    using S = typename F::Scalar;
    Matrix<S> environment = identity(f, 1);
    for (int k = 0; k < u.levels(); ++k) {
        const Site<S>&a = u.site(k), &b = v.site(k);
        Matrix<S> next(a.right(), b.right());
        for (int x = 0; x < 2; ++x) {
            Matrix<S> transposed(a.right(), a.left), half(a.right(), b.left), part(a.right(), b.right());
            for (int i = 0; i < a.left; ++i) {
                for (int j = 0; j < a.right(); ++j) {
                    transposed(j, i) = conjugate ? f.conj(a.row(x, i)[j]) : a.row(x, i)[j];
                }
            }
            half = product(f, transposed, environment);
            for (int j = 0; j < a.right(); ++j) {
                combine_rows(f, half.row(j), b.left, b.row(x, 0), b.right(), b.right(), part.row(j));
                add_scaled(f, f.one(), part.row(j), next.row(j), b.right());
            }
        }
        environment = std::move(next);
    }
    return environment(0, 0);
}

/// All 2^n amplitudes, level 0 being the most significant bit.
template <class F>
std::vector<typename F::Scalar> expand(const F& f, const Train<F>& train) {
    using S = typename F::Scalar;
    Matrix<S> rows = identity(f, 1);
    for (int k = 0; k < train.levels(); ++k) {
        const Site<S>& site = train.site(k);
        Matrix<S> next(2 * rows.rows, site.right());
        for (int i = 0; i < next.rows; ++i) {
            combine_rows(f, rows.row(i / 2), site.left, site.row(i % 2, 0), site.right(), site.right(),
                         next.row(i));
        }
        rows = std::move(next);
    }
    return std::move(rows.data);
}

}  // namespace qismc
