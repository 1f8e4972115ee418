#pragma once

#include <vector>

#include "linear/inverses.h"
#include "linear/matrix.h"

namespace qismc {

/// A row space kept in reduced echelon form: row k is 1 at pivots()[k], where all other rows are 0.
template <class F>
class Echelon {
  public:
    using S = typename F::Scalar;

    Echelon(const F& field, Inverses<F>& inverses, int cols)
        : f_(field), inverses_(inverses), cols_(cols), scratch_(cols) {}

    int rank() const { return static_cast<int>(pivots_.size()); }
    const std::vector<int>& pivots() const { return pivots_; }

    /// Adds a row to the space; whether it was new.
    bool insert(const S* row) {
        if (rank() == cols_) return false;
        const int pivot = reduce(row);
        if (pivot == cols_) return false;
        normalise(pivot);
        for (int k = 0; k < rank(); ++k) {
            S* other = rows_.data() + static_cast<std::size_t>(k) * cols_;
            add_scaled(f_, f_.neg(other[pivot]), scratch_.data() + pivot, other + pivot, cols_ - pivot);
        }
        rows_.insert(rows_.end(), scratch_.begin(), scratch_.end());
        pivots_.push_back(pivot);
        return true;
    }

    /// The rows, by increasing pivot: the reduced echelon form of the inserted matrix without its zero rows.
    Matrix<S> rows() const {
        Matrix<S> sorted(rank(), cols_);
        const std::vector<int> order = sorted_order();
        for (int i = 0; i < rank(); ++i) {
            const S* from = rows_.data() + static_cast<std::size_t>(order[i]) * cols_;
            std::copy(from, from + cols_, sorted.row(i));
        }
        return sorted;
    }

    std::vector<int> sorted_pivots() const {
        std::vector<int> sorted = pivots_;
        std::sort(sorted.begin(), sorted.end());
        return sorted;
    }

  private:
    /// scratch = row minus its part in the space; the first column that is left, or cols.
    int reduce(const S* row) {
        coefficients_.resize(rank());
        for (int k = 0; k < rank(); ++k) coefficients_[k] = f_.neg(row[pivots_[k]]);
        combine_rows(f_, coefficients_.data(), rank(), rows_.data(), cols_, cols_, scratch_.data());
        int pivot = cols_;
        for (int j = cols_ - 1; j >= 0; --j) {
            scratch_[j] = f_.add(scratch_[j], row[j]);
            if (!f_.is_zero(scratch_[j])) pivot = j;
        }
        return pivot;
    }

    void normalise(int pivot) {
        const S scale = inverses_(f_, scratch_[pivot]);
        if (scale == f_.one()) return;
        for (int j = pivot; j < cols_; ++j) {
            if (!f_.is_zero(scratch_[j])) scratch_[j] = f_.mul(scratch_[j], scale);
        }
    }

    std::vector<int> sorted_order() const {
        std::vector<int> order(pivots_.size());
        for (int k = 0; k < rank(); ++k) order[k] = k;
        std::sort(order.begin(), order.end(), [this](int a, int b) { return pivots_[a] < pivots_[b]; });
        return order;
    }

    const F& f_;
    Inverses<F>& inverses_;
    int cols_;
    std::vector<S> rows_, scratch_, coefficients_;
    std::vector<int> pivots_;
};

}  // namespace qismc
