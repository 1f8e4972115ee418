#pragma once

#include <vector>

#include "linear/rank.h"

namespace qismc {

/// Independent rows in echelon form that remember how they were combined from the rows given.
template <class F>
class Tracked {
  public:
    using S = typename F::Scalar;

    /// row = (combination of the kept rows) + remainder.
    struct Reduced {
        std::vector<S> remainder, combination;
    };

    explicit Tracked(Context<F>& context) : context_(context) {}

    int rank() const { return static_cast<int>(rows_.size()); }

    Reduced reduce(std::vector<S> row) const {
        const F& f = context_.field;
        Reduced out{std::move(row), std::vector<S>(rows_.size(), f.zero())};
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const S c = out.remainder[rows_[i].pivot];
            if (f.is_zero(c)) continue;
            add_scaled(f, f.neg(c), rows_[i].entries.data(), out.remainder.data(),
                       static_cast<int>(out.remainder.size()));
            add_scaled(f, c, rows_[i].origin.data(), out.combination.data(),
                       static_cast<int>(rows_[i].origin.size()));
        }
        return out;
    }

    /// Keeps a row whose reduction left a remainder.
    void keep(Reduced reduced) {
        const F& f = context_.field;
        std::size_t pivot = 0;
        while (f.is_zero(reduced.remainder[pivot])) ++pivot;
        const S scale = context_.inverses(f, reduced.remainder[pivot]);
        for (S& x : reduced.remainder) x = f.mul(x, scale);
        for (S& x : reduced.combination) x = f.neg(f.mul(x, scale));
        reduced.combination.push_back(scale);
        rows_.push_back({pivot, std::move(reduced.remainder), std::move(reduced.combination)});
    }

    /// Adds a column; `values` are its entries in the rows as they were given.
    void add_column(const std::vector<S>& values) {
        const F& f = context_.field;
        for (Row& row : rows_) {
            auto sum = f.start();
            for (std::size_t j = 0; j < row.origin.size(); ++j)
                sum = f.accumulate(sum, row.origin[j], values[j]);
            row.entries.push_back(f.finish(sum));
        }
    }

  private:
    struct Row {
        std::size_t pivot;
        std::vector<S> entries, origin;
    };

    Context<F>& context_;
    std::vector<Row> rows_;
};

}  // namespace qismc
