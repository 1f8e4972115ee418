#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "block/few.h"
#include "linear/rank.h"

namespace qismc {

/// A 2 x 2 map of one level, row-major.
template <class S>
using Local = std::array<S, 4>;

template <class F, class S = typename F::Scalar>
Local<S> compose(const F& f, const Local<S>& after, const Local<S>& before) {
    Local<S> out;
    for (int y = 0; y < 2; ++y) {
        for (int x = 0; x < 2; ++x) {
            out[2 * y + x] = f.dot2(after[2 * y], before[x], after[2 * y + 1], before[2 + x]);
        }
    }
    return out;
}

template <class F>
Local<typename F::Scalar> local_identity(const F& f) {
    return {f.one(), f.zero(), f.zero(), f.one()};
}

/// The projector onto the basis state `value` of one level.
template <class F>
Local<typename F::Scalar> local_projector(const F& f, int value) {
    return {value ? f.zero() : f.one(), f.zero(), f.zero(), value ? f.one() : f.zero()};
}

/// A matrix on some targets with what compilation wants to know of it. The first target is the lowest bit.
template <class F>
struct Operator {
    using S = typename F::Scalar;

    Operator(Context<F>& context, Matrix<S> matrix) : m(std::move(matrix)) {
        const F& f = context.field;
        is_identity = permutes(f, [](int row) { return row; });
        is_diagonal = is_identity || diagonal(f);
        is_swap = m.rows == 4 && permutes(f, [](int row) { return row == 1 || row == 2 ? 3 - row : row; });
        keeps_ranks = is_identity || is_swap || invertible(context);
    }

    Local<S> local() const { return {m.data[0], m.data[1], m.data[2], m.data[3]}; }

    Matrix<S> m;
    bool is_identity, is_diagonal, is_swap;
    /// Exact: invertible. Complex: unitary, so that it keeps the orthonormal gauge, too.
    bool keeps_ranks;

  private:
    /// Is 1 at these columns of the rows, and 0 elsewhere, all that there is?
    template <class Column>
    bool permutes(const F& f, Column column) const {
        for (int i = 0; i < m.rows; ++i) {
            for (int j = 0; j < m.cols; ++j) {
                if (m(i, j) != (j == column(i) ? f.one() : f.zero())) return false;
            }
        }
        return true;
    }

    bool diagonal(const F& f) const {
        for (int i = 0; i < m.rows; ++i) {
            for (int j = 0; j < m.cols; ++j) {
                if (i != j && !f.is_zero(m(i, j))) return false;
            }
        }
        return true;
    }

    bool invertible(Context<F>& context) const {
        if constexpr (F::exact) {
            const F& f = context.field;
            if (m.rows == 2) return !f.is_zero(f.sub(f.mul(m(0, 0), m(1, 1)), f.mul(m(0, 1), m(1, 0))));
            Echelon<F> echelon(context.field, context.inverses, m.cols);
            for (int i = 0; i < m.rows; ++i) echelon.insert(m.row(i));
            return echelon.rank() == m.rows;
        } else {
            ComplexMatrix square = product(context.field, adjoint(m), m);
            for (int i = 0; i < m.rows; ++i) square(i, i) -= 1;
            return norm(square) < 1e-13 * m.rows;
        }
    }
};

struct Control {
    int level;
    int value;
};

/// If all controls match, the operator on the targets; else the identity. Has at least one target.
template <class F>
struct Gate {
    Few<Control, 2> controls;
    Few<int, 2> targets;
    std::shared_ptr<const Operator<F>> op;

    bool one_site() const { return controls.empty() && targets.size() == 1; }
};

}  // namespace qismc
