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

/// Independent rows in echelon form that remember how they were combined from the rows given.
template <class F>
class Tracked {
  public:
    using S = typename F::Scalar;

    /// row = sum of coefficients * (echelon rows) + remainder.
    struct Reduced {
        std::vector<S> remainder, coefficients;
    };

    explicit Tracked(Context<F>& context) : context_(context) {}

    int rank() const { return entries_.rows(); }
    int columns() const { return entries_.cols(); }

    /// Subtracts a few echelon rows at a time: their coefficients follow from each other, the rest is a sum
    /// that is reduced once per entry.
    Reduced reduce(std::vector<S> row) const {
        const F& f = context_.field;
        Reduced out{std::move(row), std::vector<S>(rank(), f.zero())};
        const int cols = static_cast<int>(out.remainder.size());
        std::vector<S> negative(kBlock), sum(cols);
        for (int begin = 0; begin < rank(); begin += kBlock) {
            const int count = std::min(kBlock, rank() - begin);
            for (int i = 0; i < count; ++i) {
                S c = out.remainder[pivots_[begin + i]];
                for (int j = 0; j < i; ++j)
                    c = f.add(c, f.mul(negative[j], entries_.row(begin + j)[pivots_[begin + i]]));
                out.coefficients[begin + i] = c;
                negative[i] = f.neg(c);
            }
            combine_rows(f, negative.data(), count, entries_.row(begin), entries_.stride(), cols, sum.data());
            for (int j = 0; j < cols; ++j) out.remainder[j] = f.add(out.remainder[j], sum[j]);
        }
        return out;
    }

    /// The coefficients on the rows that were given; a row comes from those up to itself.
    std::vector<S> combination(const Reduced& reduced) const {
        const F& f = context_.field;
        std::vector<S> out(rank(), f.zero()), part(rank());
        for (int begin = 0; begin < rank(); begin += kBlock) {
            const int count = std::min(kBlock, rank() - begin), cols = begin + count;
            combine_rows(f, reduced.coefficients.data() + begin, count, origins_.row(begin),
                         origins_.stride(), cols, part.data());
            for (int j = 0; j < cols; ++j) out[j] = f.add(out[j], part[j]);
        }
        return out;
    }

    /// Keeps a row whose reduction left a remainder.
    void keep(const Reduced& reduced) {
        const F& f = context_.field;
        int pivot = 0;
        while (f.is_zero(reduced.remainder[pivot])) ++pivot;
        const S scale = context_.inverses(f, reduced.remainder[pivot]);
        const std::vector<S> origin = combination(reduced);
        if (rank() == 0) entries_.widen(static_cast<int>(reduced.remainder.size()));
        S* entries = entries_.add_row();
        for (int j = 0; j < columns(); ++j) entries[j] = f.mul(reduced.remainder[j], scale);
        origins_.widen(rank());
        S* own = origins_.add_row();
        for (int j = 0; j + 1 < rank(); ++j) own[j] = f.neg(f.mul(origin[j], scale));
        own[rank() - 1] = scale;
        pivots_.push_back(pivot);
    }

    /// Adds a column; `values` are its entries in the rows as they were given.
    void add_column(const std::vector<S>& values) {
        const F& f = context_.field;
        entries_.widen(columns() + 1);
        for (int i = 0; i < rank(); ++i) {
            const S* origin = origins_.row(i);
            S& entry = entries_.row(i)[columns() - 1];
            detail::combine_columns<1>(f, origin, i + 1, values.data(), 1, &entry);
        }
    }

  private:
    static constexpr int kBlock = 16;  // echelon rows that are subtracted together

    Context<F>& context_;
    GrowingMatrix<S> entries_, origins_;
    std::vector<int> pivots_;
};

}  // namespace qismc
