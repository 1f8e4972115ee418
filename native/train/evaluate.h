#pragma once

#include "train/train.h"

namespace qismc {

/// The value of the train at a product functional, weights(k) giving the pair of level k.
template <class F, class Weights>
typename F::Scalar evaluate(const F& f, const Train<F>& train, Weights weights) {
    using S = typename F::Scalar;
    std::vector<S> row{f.one()}, weighted;
    for (int k = 0; k < train.levels(); ++k) {
        const Site<S>& site = train.site(k);
        const auto [w0, w1] = weights(k);
        if (site.nodes() == 1) {  // a level of its own: no rows to combine
            const S* a = site.stacked.data.data();
            row[0] = f.mul(row[0], f.dot2(w0, a[0], w1, a[1]));
            continue;
        }
        weighted.resize(2 * site.left);
        for (int i = 0; i < site.left; ++i) {
            weighted[i] = f.mul(row[i], w0);
            weighted[site.left + i] = f.mul(row[i], w1);
        }
        row.resize(site.right());
        combine_rows(f, weighted.data(), 2 * site.left, site.stacked.data.data(), site.right(), site.right(),
                     row.data());
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
        if (a.nodes() == 1 && b.nodes() == 1) {  // levels of their own: a factor
            const S *x = a.row(0, 0), *y = b.row(0, 0);
            const S factor =
                conjugate ? f.dot2(f.conj(x[0]), y[0], f.conj(x[1]), y[1]) : f.dot2(x[0], y[0], x[1], y[1]);
            environment(0, 0) = f.mul(environment(0, 0), factor);
            continue;
        }
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

/// The amplitudes of all words, level 0 being the most significant bit; where letters[k] >= 0, words have
/// this letter at level k. `announce` is told of the operations.
template <class F, class Announce>
std::vector<typename F::Scalar> expand(const F& f, const Train<F>& train, const std::vector<int>& letters,
                                       Announce announce) {
    using S = typename F::Scalar;
    Matrix<S> rows = identity(f, 1);
    for (int k = 0; k < train.levels(); ++k) {
        const Site<S>& site = train.site(k);
        const int letter = letters.empty() ? -1 : letters[k], count = letter < 0 ? 2 : 1;
        Matrix<S> next(count * rows.rows, site.right());
        const std::size_t cost = static_cast<std::size_t>(site.left) * static_cast<std::size_t>(site.right());
        for (int i = 0; i < next.rows; ++i) {
            announce(cost);
            combine_rows(f, rows.row(i / count), site.left, site.row(letter < 0 ? i % 2 : letter, 0),
                         site.right(), site.right(), next.row(i));
        }
        rows = std::move(next);
    }
    return std::move(rows.data);
}

template <class F>
std::vector<typename F::Scalar> expand(const F& f, const Train<F>& train) {
    return expand(f, train, {}, [](std::size_t) {});
}

}  // namespace qismc
