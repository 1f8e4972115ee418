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

    /// Adds rows until the space is everything; which of them were new. Large matrices are taken in blocks,
    /// so that nearly all of the work is products of matrices, whose sums are reduced once per entry; after
    /// each block there is a pause, which may throw.
    template <class Pause>
    std::vector<bool> insert_all(const S* rows, int count, const Pause& pause) {
        std::vector<bool> fresh(count, false);
        if (pivots_.empty() && cols_ <= kWide) {  // most spaces are small, and given at once
            const std::size_t most = std::min(count, cols_);
            pivots_.reserve(most);
            rows_.reserve(most * cols_);
        }
        int i = 0;
        for (; cols_ >= kWide && i + kBlock <= count && rank() < cols_; i += kBlock) {
            insert_block(rows + static_cast<std::size_t>(i) * cols_, fresh.begin() + i);
            pause();
        }
        for (; i < count && rank() < cols_; ++i)
            fresh[i] = insert(rows + static_cast<std::size_t>(i) * cols_);
        return fresh;
    }

    std::vector<bool> insert_all(const S* rows, int count) {
        return insert_all(rows, count, [] {});
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
    static constexpr int kBlock = 16, kWide = 32;  // rows that are taken together, where they are this long

    /// The new rows of a block, cleared by the old ones and by each other; then the old ones cleared by them.
    void insert_block(const S* rows, std::vector<bool>::iterator fresh) {
        Echelon block(f_, inverses_, cols_);
        for (int i = 0; i < kBlock; ++i) {
            reduce(rows + static_cast<std::size_t>(i) * cols_);
            fresh[i] = block.insert(scratch_.data());
        }
        if (block.rank() == 0) return;
        const int begin = *std::min_element(block.pivots_.begin(), block.pivots_.end());
        for (int k = 0; k < rank(); ++k) {
            S* other = rows_.data() + static_cast<std::size_t>(k) * cols_;
            block.part_of(other, begin);
            for (int j = begin; j < cols_; ++j) other[j] = f_.add(other[j], block.scratch_[j]);
        }
        rows_.insert(rows_.end(), block.rows_.begin(), block.rows_.end());
        pivots_.insert(pivots_.end(), block.pivots_.begin(), block.pivots_.end());
        note_pivots();
    }

    /// scratch = row minus its part in the space; the first column that is left, or cols.
    int reduce(const S* row) {
        part_of(row, lead_);
        std::fill(scratch_.begin(), scratch_.begin() + lead_, f_.zero());
        int pivot = cols_;
        for (int j = cols_ - 1; j >= lead_; --j) {
            scratch_[j] = f_.add(scratch_[j], row[j]);
            if (!f_.is_zero(scratch_[j])) pivot = j;
        }
        return pivot;
    }

    /// scratch = minus the row's part in the space, from a column on.
    void part_of(const S* row, int begin) {
        coefficients_.resize(rank());
        for (int k = 0; k < rank(); ++k) coefficients_[k] = f_.neg(row[pivots_[k]]);
        combine_rows(f_, coefficients_.data(), rank(), rows_.data() + begin, cols_, cols_ - begin,
                     scratch_.data() + begin);
    }

    /// Finds out how many of the first columns are pivots, where nothing is left of any row.
    void note_pivots() {
        const std::vector<int> sorted = sorted_pivots();
        for (lead_ = 0; lead_ < rank() && sorted[lead_] == lead_;) ++lead_;
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
    int lead_ = 0;
};

}  // namespace qismc
