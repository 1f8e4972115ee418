#pragma once

#include "field/complex_field.h"
#include "limits/watch.h"
#include "linear/echelon.h"
#include "linear/orthogonal.h"

namespace qismc {

/// What every computation over the field F carries along.
template <class F>
struct Context {
    F field;
    Watch& watch;
    Inverses<F> inverses{};
};

template <>
struct Context<ComplexField> {
    ComplexField field;
    Watch& watch;
};

/// a / b.
template <class F, class S = typename F::Scalar>
S quotient(Context<F>& context, S a, S b) {
    if constexpr (F::exact) {
        return context.field.mul(a, context.inverses(context.field, b));
    } else {
        return a / b;
    }
}

/// m = left * right through the rank of m (at least 1); `same` says that m is its own kept factor.
template <class S>
struct Factors {
    Matrix<S> left, right;
    bool same = false;
};

template <class F, class S = typename F::Scalar>
Matrix<S> select_columns(const Matrix<S>& m, const std::vector<int>& columns) {
    Matrix<S> out(m.rows, static_cast<int>(columns.size()));
    for (int i = 0; i < m.rows; ++i) {
        for (int k = 0; k < out.cols; ++k) out(i, k) = m(i, columns[k]);
    }
    return out;
}

/// m = (its pivot columns) * (its reduced echelon form).
template <class F, class S = typename F::Scalar>
Factors<S> factors_of(const Matrix<S>& m, const Echelon<F>& echelon) {
    if (echelon.rank() == 0) return {Matrix<S>(m.rows, 1), Matrix<S>(1, m.cols)};
    return {select_columns<F>(m, echelon.sorted_pivots()), echelon.rows()};
}

/// Are `count` vectors surely independent? Vector k has its entry number i at data[k * apart + i * inside].
/// One or two are told without any space; nothing is said of more.
template <class F, class S = typename F::Scalar>
bool few_independent(const F& f, const S* data, int count, std::size_t apart, std::size_t inside,
                     int length) {
    int lead = 0;
    while (lead < length && f.is_zero(data[lead * inside])) ++lead;
    if (count > 2 || lead == length) return false;
    if (count == 1) return true;
    const S a = data[lead * inside], b = data[apart + lead * inside];
    for (int i = 0; i < length; ++i) {
        const S minor = f.sub(f.mul(a, data[apart + i * inside]), f.mul(b, data[i * inside]));
        if (!f.is_zero(minor)) return true;
    }
    return false;
}

/// Keeps a basis of the column space of m on the left. Over the complex numbers it is orthonormal, and noise
/// is dropped if `truncate` says that the rest of the train is in orthonormal gauge.
template <class F, class S = typename F::Scalar>
Factors<S> split_columns(Context<F>& context, const Matrix<S>& m, bool truncate) {
    if constexpr (F::exact) {
        (void)truncate;
        if (few_independent(context.field, m.data.data(), m.cols, 1, m.cols, m.rows)) return {{}, {}, true};
        Echelon<F> echelon(context.field, context.inverses, m.cols);
        echelon.insert_all(m.data.data(), m.rows, [&] { context.watch.poll(); });
        if (echelon.rank() == m.cols) return {{}, {}, true};
        return factors_of(m, echelon);
    } else {
        const auto pause = [&] { context.watch.poll(); };
        ComplexFactors parts =
            truncate ? truncated_columns(m, pause, context.field.truncation) : orthonormal_columns(m, pause);
        return {std::move(parts.left), std::move(parts.right)};
    }
}

/// Keeps a basis of the row space of m on the right, in reduced echelon form if `canonical` (exact) or
/// orthonormal without noise (complex).
template <class F, class S = typename F::Scalar>
Factors<S> split_rows(Context<F>& context, const Matrix<S>& m, bool canonical) {
    if constexpr (F::exact) {
        if (!canonical && few_independent(context.field, m.data.data(), m.rows, m.cols, 1, m.cols))
            return {{}, {}, true};
        Echelon<F> echelon(context.field, context.inverses, m.cols);
        echelon.insert_all(m.data.data(), m.rows, [&] { context.watch.poll(); });
        if (!canonical && echelon.rank() == m.rows) return {{}, {}, true};
        return factors_of(m, echelon);
    } else {
        (void)canonical;
        ComplexFactors parts = truncated_rows(m, [&] { context.watch.poll(); }, context.field.truncation);
        return {std::move(parts.left), std::move(parts.right)};
    }
}

/// A rank factorisation without any wish about gauges.
template <class F, class S = typename F::Scalar>
Factors<S> factorise(Context<F>& context, const Matrix<S>& m) {
    return split_rows(context, m, true);
}

}  // namespace qismc
