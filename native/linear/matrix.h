#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "linear/lanes.h"
#include "linear/wide.h"

namespace qismc {

/// A dense matrix in row-major order; zero when made.
template <class S>
struct Matrix {
    int rows = 0, cols = 0;
    std::vector<S> data;

    Matrix() = default;
    Matrix(int r, int c) : rows(r), cols(c), data(static_cast<std::size_t>(r) * c) {}

    S* row(int i) { return data.data() + static_cast<std::size_t>(i) * cols; }
    const S* row(int i) const { return data.data() + static_cast<std::size_t>(i) * cols; }
    S& operator()(int i, int j) { return row(i)[j]; }
    const S& operator()(int i, int j) const { return row(i)[j]; }
    bool operator==(const Matrix&) const = default;
};

/// y += c * x.
template <class F>
void add_scaled(const F& f, typename F::Scalar c, const typename F::Scalar* x, typename F::Scalar* y, int n) {
    if (f.is_zero(c)) return;
    if (c == f.one()) {
        for (int j = 0; j < n; ++j) y[j] = f.add(y[j], x[j]);
    } else {
        for (int j = 0; j < n; ++j) {
            if (!f.is_zero(x[j])) y[j] = f.add(y[j], f.mul(c, x[j]));
        }
    }
}

namespace detail {

inline constexpr int kStretch = 64;  // columns whose sums are kept together

/// `Width` entries of a combination of rows, sums kept in registers and brought back into range now and then.
template <int Width, class F>
void combine_columns(const F& f, const typename F::Scalar* c, int count, const typename F::Scalar* rows,
                     std::size_t stride, typename F::Scalar* out) {
    typename F::Sum sums[Width];
    std::fill(sums, sums + Width, f.start());
    for (int k = 0; k < count;) {
        const int end = std::min(count, k + F::pile_steps);
        for (; k < end; ++k) {
            const typename F::Scalar factor = c[k], *x = rows + k * stride;
            if (f.is_zero(factor)) continue;
            for (int j = 0; j < Width; ++j) sums[j] = f.pile(sums[j], factor, x[j]);
        }
        for (int j = 0; j < Width; ++j) sums[j] = f.settle(sums[j]);
    }
    for (int j = 0; j < Width; ++j) out[j] = f.finish(sums[j]);
}

/// The same for a stretch of columns, four rows at a time: rows are read along, sums stay in the first cache.
template <class F>
void combine_stretch(const F& f, const typename F::Scalar* c, int count, const typename F::Scalar* rows,
                     std::size_t stride, int width, typename F::Scalar* out) {
    constexpr int kRows = 4;
    static_assert(F::pile_steps >= kRows);
    typename F::Sum sums[kStretch];
    std::fill(sums, sums + width, f.start());
    int k = 0, piled = 0;
    const auto settle = [&](int steps) {
        if ((piled += steps) + kRows <= F::pile_steps) return;
        for (int j = 0; j < width; ++j) sums[j] = f.settle(sums[j]);
        piled = 0;
    };
    for (; k + kRows <= count; k += kRows) {
        const typename F::Scalar a = c[k], b = c[k + 1], d = c[k + 2], e = c[k + 3];
        if (f.is_zero(a) && f.is_zero(b) && f.is_zero(d) && f.is_zero(e)) continue;
        const typename F::Scalar *x = rows + k * stride, *y = x + stride, *z = y + stride, *w = z + stride;
        for (int j = 0; j < width; ++j)
            sums[j] = f.pile(f.pile(f.pile(f.pile(sums[j], a, x[j]), b, y[j]), d, z[j]), e, w[j]);
        settle(kRows);
    }
    for (; k < count; ++k) {
        if (f.is_zero(c[k])) continue;
        const typename F::Scalar* x = rows + k * stride;
        for (int j = 0; j < width; ++j) sums[j] = f.pile(sums[j], c[k], x[j]);
        settle(1);
    }
    for (int j = 0; j < width; ++j) out[j] = f.finish(f.settle(sums[j]));
}

}  // namespace detail

/// out = sum of c[k] * rows[k], where row k starts at rows + k * stride. Reduces once per entry, not per
/// product.
template <class F>
void combine_rows(const F& f, const typename F::Scalar* c, int count, const typename F::Scalar* rows,
                  std::size_t stride, int cols, typename F::Scalar* out) {
    int terms = 0, last = 0;
    for (int k = 0; k < count; ++k) {
        if (f.is_zero(c[k])) continue;
        ++terms;
        last = k;
    }
    if (terms <= 1) {
        std::fill(out, out + cols, f.zero());
        if (terms == 1) add_scaled(f, c[last], rows + last * stride, out, cols);
        return;
    }
    if constexpr (requires { wide::combine(f, c, count, rows, stride, cols, out); }) {
        if (terms >= wide::kFewestTerms && cols * F::words >= wide::kFewestWords && wide::available())
            return wide::combine(f, c, last + 1, rows, stride, cols, out);
    }
    constexpr int kNarrow = 8;  // up to so many columns are not worth a stretch
    constexpr int kWidth = 4;   // sums that fit into registers
    int j = 0;
    for (; cols - j > kNarrow; j += std::min(detail::kStretch, cols - j))
        detail::combine_stretch(f, c, last + 1, rows + j, stride, std::min(detail::kStretch, cols - j),
                                out + j);
    for (; j + kWidth <= cols; j += kWidth)
        detail::combine_columns<kWidth>(f, c, last + 1, rows + j, stride, out + j);
    for (; j < cols; ++j) detail::combine_columns<1>(f, c, last + 1, rows + j, stride, out + j);
}

namespace detail {

/// Are so many entries zero that leaving them out is worth more than registers full of them?
template <class F, class S = typename F::Scalar>
bool is_sparse(const F& f, lanes::Rows<const S> m, int rows, int cols) {
    constexpr std::size_t kFewest = 4;  // one of so many
    std::size_t terms = 0;
    for (int i = 0; i < rows; ++i) {
        const S* row = m.data + i * m.stride;
        for (int j = 0; j < cols; ++j) terms += !f.is_zero(row[j]);
    }
    return terms * kFewest < static_cast<std::size_t>(rows) * cols;
}

}  // namespace detail

/// out = a * b for so many rows of a; row k of each starts k strides behind the first.
template <class F, class S = typename F::Scalar>
void multiply(const F& f, lanes::Rows<const S> a, lanes::Rows<const S> b, lanes::Rows<S> out, int rows,
              int inner, int cols) {
    if constexpr (!F::exact) {
        if (lanes::worth(rows, inner, cols) && !detail::is_sparse(f, a, rows, inner)) {
            return lanes::multiply(a, b, out, rows, inner, cols);
        }
    }
    for (int i = 0; i < rows; ++i) {
        combine_rows(f, a.data + i * a.stride, inner, b.data, b.stride, cols, out.data + i * out.stride);
    }
}

template <class S>
lanes::Rows<const S> rows_of(const Matrix<S>& m) {
    return {m.data.data(), static_cast<std::size_t>(m.cols)};
}

template <class S>
lanes::Rows<S> rows_of(Matrix<S>& m) {
    return {m.data.data(), static_cast<std::size_t>(m.cols)};
}

template <class F, class S = typename F::Scalar>
Matrix<S> product(const F& f, const Matrix<S>& a, const Matrix<S>& b) {
    Matrix<S> c(a.rows, b.cols);
    multiply<F>(f, rows_of(a), rows_of(b), rows_of(c), a.rows, a.cols, b.cols);
    return c;
}

template <class F>
Matrix<typename F::Scalar> identity(const F& f, int n) {
    Matrix<typename F::Scalar> m(n, n);
    for (int i = 0; i < n; ++i) m(i, i) = f.one();
    return m;
}

template <class F, class Iterable>
bool all_zero(const F& f, const Iterable& entries) {
    return std::all_of(entries.begin(), entries.end(), [&](const auto& x) { return f.is_zero(x); });
}

}  // namespace qismc
