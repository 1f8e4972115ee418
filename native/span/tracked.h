#pragma once

#include <vector>

#include "linear/rank.h"

namespace qismc {

/// Rows of one length that grows, in one piece of memory, with room for more of both.
template <class S>
class GrowingMatrix {
  public:
    int rows() const { return rows_; }
    int cols() const { return cols_; }
    std::size_t stride() const { return stride_; }
    S* row(int i) { return data_.data() + static_cast<std::size_t>(i) * stride_; }
    const S* row(int i) const { return data_.data() + static_cast<std::size_t>(i) * stride_; }

    /// Adds a row of zeros.
    S* add_row() {
        data_.resize(static_cast<std::size_t>(rows_ + 1) * stride_);
        return row(rows_++);
    }

    void widen(int cols) {
        if (static_cast<std::size_t>(cols) > stride_) {
            const std::size_t stride = std::max<std::size_t>(cols, stride_ + stride_ / 2);
            std::vector<S> moved(static_cast<std::size_t>(rows_) * stride);
            for (int i = 0; i < rows_; ++i) std::copy(row(i), row(i) + cols_, moved.data() + i * stride);
            data_ = std::move(moved);
            stride_ = stride;
        }
        cols_ = cols;
    }

  private:
    int rows_ = 0, cols_ = 0;
    std::size_t stride_ = 0;
    std::vector<S> data_;
};

/// Independent rows A = L E: E in echelon form, L lower triangular, so that they remember how they were
/// combined from the rows given.
template <class F>
class Tracked {
  public:
    using S = typename F::Scalar;

    /// row = coefficients * (echelon rows) + remainder.
    struct Reduced {
        std::vector<S> remainder, coefficients;
    };

    explicit Tracked(Context<F>& context) : context_(context) {}

    int rank() const { return entries_.rows(); }
    int columns() const { return entries_.cols(); }

    Reduced reduce(std::vector<S> row) const {
        Reduced out{std::move(row), {}};
        catch_up(out);
        return out;
    }

    /// The same for several rows: each block of echelon rows is read once for all of them.
    std::vector<Reduced> reduce_all(std::vector<std::vector<S>> rows) const {
        std::vector<Reduced> out;
        for (auto& row : rows) out.push_back({std::move(row), std::vector<S>(rank())});
        for (int begin = 0; begin < rank(); begin += kBlock) {
            for (Reduced& one : out) subtract(begin, std::min(begin + kBlock, rank()), one);
        }
        return out;
    }

    /// Subtracts the echelon rows that were kept since a row was reduced.
    void catch_up(Reduced& reduced) const {
        int begin = static_cast<int>(reduced.coefficients.size());
        reduced.coefficients.resize(rank());
        for (; begin < rank(); begin += kBlock) subtract(begin, std::min(begin + kBlock, rank()), reduced);
    }

    /// The coefficients x on the rows that were given: x L = those on the echelon rows.
    std::vector<S> combination(const Reduced& reduced) const {
        const F& f = context_.field;
        std::vector<S> x = reduced.coefficients;
        for (int i = rank() - 1; i >= 0; --i) {
            x[i] = f.mul(x[i], scales_[i]);
            add_scaled(f, f.neg(x[i]), lower_.row(i), x.data(), i);
        }
        return x;
    }

    /// Keeps a row whose reduction left a remainder.
    void keep(const Reduced& reduced) {
        const F& f = context_.field;
        int pivot = 0;
        while (f.is_zero(reduced.remainder[pivot])) ++pivot;
        const S scale = context_.inverses(f, reduced.remainder[pivot]);
        if (rank() == 0) entries_.widen(static_cast<int>(reduced.remainder.size()));
        lower_.widen(rank() + 1);
        std::copy(reduced.coefficients.begin(), reduced.coefficients.end(), lower_.add_row());
        S* entries = entries_.add_row();
        for (int j = pivot; j < columns(); ++j) entries[j] = f.mul(reduced.remainder[j], scale);
        pivots_.push_back(pivot);
        scales_.push_back(scale);
    }

    /// Adds columns; row i of `values` has the entries of row i as it was given.
    void add_columns(const Matrix<S>& values) {
        const F& f = context_.field;
        const int first = columns();
        entries_.widen(first + values.cols);
        std::vector<S> negative(rank()), known(values.cols);
        for (int i = 0; i < rank(); ++i) {
            for (int k = 0; k < i; ++k) negative[k] = f.neg(lower_.row(i)[k]);
            combine_rows(f, negative.data(), i, entries_.row(0) + first, entries_.stride(), values.cols,
                         known.data());
            S* entries = entries_.row(i) + first;
            for (int j = 0; j < values.cols; ++j)
                entries[j] = f.mul(f.add(values(i, j), known[j]), scales_[i]);
        }
    }

  private:
    static constexpr int kBlock = 16;  // echelon rows that are subtracted together

    /// Subtracts a few echelon rows: their coefficients follow from each other, the rest is a sum that is
    /// reduced once per entry.
    void subtract(int begin, int end, Reduced& row) const {
        const F& f = context_.field;
        S negative[kBlock];
        bool any = false;
        for (int i = begin; i < end; ++i) {
            S c = row.remainder[pivots_[i]];
            for (int j = begin; any && j < i; ++j)
                c = f.add(c, f.mul(negative[j - begin], entries_.row(j)[pivots_[i]]));
            row.coefficients[i] = c;
            negative[i - begin] = f.neg(c);
            any = any || !f.is_zero(c);
        }
        if (!any) return;
        const int first = *std::min_element(pivots_.begin() + begin, pivots_.begin() + end);
        const int cols = static_cast<int>(row.remainder.size()) - first;
        std::vector<S> sum(cols);
        combine_rows(f, negative, end - begin, entries_.row(begin) + first, entries_.stride(), cols,
                     sum.data());
        S* rest = row.remainder.data() + first;
        for (int j = 0; j < cols; ++j) rest[j] = f.add(rest[j], sum[j]);
    }

    Context<F>& context_;
    GrowingMatrix<S> entries_, lower_;  // E, and L without its diagonal
    std::vector<S> scales_;             // the inverses of the diagonal of L
    std::vector<int> pivots_;
};

}  // namespace qismc
