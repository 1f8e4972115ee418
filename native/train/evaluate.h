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
            Matrix<S> transposed(a.right(), a.left), part(a.right(), b.right());
            for (int i = 0; i < a.left; ++i) {
                for (int j = 0; j < a.right(); ++j) {
                    transposed(j, i) = conjugate ? f.conj(a.row(x, i)[j]) : a.row(x, i)[j];
                }
            }
            const Matrix<S> half = product(f, transposed, environment);
            multiply<F>(f, rows_of(half), b.of(x), rows_of(part), half.rows, b.left, b.right());
            add_scaled(f, f.one(), part.data.data(), next.data.data(), static_cast<int>(part.data.size()));
        }
        environment = std::move(next);
    }
    return environment(0, 0);
}

/// The product of the sites on the left and that of those on the right meet before `level`.
struct Meeting {
    int level;
    double operations;
};

namespace detail {

/// The letters that level k may have.
inline int choices(const std::vector<int>& letters, int k) {
    return letters.empty() || letters[k] < 0 ? 2 : 1;
}

/// The site's matrix of the i-th of the letters that level k may have.
template <class S>
const S* matrix_of(const Site<S>& site, const std::vector<int>& letters, int k, int i) {
    return site.row(choices(letters, k) == 2 ? i : letters[k], 0);
}

}  // namespace detail

/// Where the two products of an expansion best meet: words are then as long as bonds allow on neither side.
template <class F>
Meeting cheapest_meeting(const Train<F>& train, const std::vector<int>& letters = {}) {
    const int n = train.levels();
    std::vector<double> on_right(n + 1, 0);  // operations for the sites from k on
    double words = 1, on_left = 0;
    const auto cost = [&](int k) { return static_cast<double>(train.site(k).nodes()); };
    for (int k = n - 1; k >= 0; --k) {
        words *= detail::choices(letters, k);
        on_right[k] = on_right[k + 1] + words * cost(k);
    }
    const double all = words;
    Meeting best{0, on_right[0]};
    words = 1;
    for (int k = 0; k < n; ++k) {
        words *= detail::choices(letters, k);
        on_left += words * cost(k);
        const double joining = k + 1 < n ? all * train.site(k).right() : 0;
        const double operations = on_left + on_right[k + 1] + joining;
        if (operations < best.operations) best = {k + 1, operations};
    }
    return best;
}

namespace detail {

/// Rows: the words of the levels before `end`; columns: the bond there.
template <class F, class Announce, class S = typename F::Scalar>
Matrix<S> words_before(const F& f, const Train<F>& train, const std::vector<int>& letters, int end,
                       Announce announce) {
    Matrix<S> rows = identity(f, 1);
    for (int k = 0; k < end; ++k) {
        const Site<S>& site = train.site(k);
        const int count = choices(letters, k);
        Matrix<S> next(count * rows.rows, site.right());
        for (int i = 0; i < next.rows; ++i) {
            announce(site.nodes());
            combine_rows(f, rows.row(i / count), site.left, matrix_of(site, letters, k, i % count),
                         site.right(), site.right(), next.row(i));
        }
        rows = std::move(next);
    }
    return rows;
}

/// Rows: the bond before `begin`; columns: the words of the levels from there on.
template <class F, class Announce, class S = typename F::Scalar>
Matrix<S> words_from(const F& f, const Train<F>& train, const std::vector<int>& letters, int begin,
                     Announce announce) {
    Matrix<S> columns = identity(f, 1);
    for (int k = train.levels() - 1; k >= begin; --k) {
        const Site<S>& site = train.site(k);
        const int count = choices(letters, k), width = columns.cols;
        Matrix<S> next(site.left, count * width);
        for (int i = 0; i < site.left; ++i) {
            for (int x = 0; x < count; ++x) {
                announce(static_cast<std::size_t>(site.right()) * width);
                combine_rows(f, matrix_of(site, letters, k, x) + static_cast<std::size_t>(i) * site.right(),
                             site.right(), columns.data.data(), width, width,
                             next.row(i) + static_cast<std::size_t>(x) * width);
            }
        }
        columns = std::move(next);
    }
    return columns;
}

}  // namespace detail

/// The amplitudes of all words, level 0 being the most significant bit; where letters[k] >= 0, words have
/// this letter at level k. `announce` is told of the operations.
template <class F, class Announce>
std::vector<typename F::Scalar> expand(const F& f, const Train<F>& train, const std::vector<int>& letters,
                                       Announce announce) {
    const int middle = cheapest_meeting(train, letters).level;
    auto left = detail::words_before(f, train, letters, middle, announce);
    if (middle == train.levels()) return std::move(left.data);
    auto right = detail::words_from(f, train, letters, middle, announce);
    if (middle == 0) return std::move(right.data);
    Matrix<typename F::Scalar> joined(left.rows, right.cols);
    for (int i = 0; i < left.rows; ++i) {
        announce(static_cast<std::size_t>(left.cols) * right.cols);
        combine_rows(f, left.row(i), left.cols, right.data.data(), right.cols, right.cols, joined.row(i));
    }
    return std::move(joined.data);
}

template <class F>
std::vector<typename F::Scalar> expand(const F& f, const Train<F>& train) {
    return expand(f, train, {}, [](std::size_t) {});
}

}  // namespace qismc
