#pragma once

#include <memory>
#include <string>
#include <vector>

#include "field/montgomery.h"

namespace qismc {

/// A growing space of rows over a field.
class RowSpace {
  public:
    virtual ~RowSpace() = default;
    virtual int rank() const = 0;

    /// Joins so many rows, one after the other; which of them were outside.
    virtual std::vector<bool> extend(const std::vector<Word>& rows, int count) = 0;
};

/// The reduced echelon form of a matrix without its zero rows, by increasing pivots.
struct ReducedEchelon {
    std::vector<Word> rows;
    std::vector<int> pivots;
};

/// Linear algebra on matrices of residues, over F_p (kind fp, one word a number), F_p(i) (fp2, two words) or
/// F_p x F_q (twin, two words); over F_p and F_p(i) for p of two words (long, long2, the low word first).
class Algebra {
  public:
    virtual ~Algebra() = default;
    virtual int words() const = 0;

    /// a (rows x inner) times b (inner x cols).
    virtual std::vector<Word> product(const std::vector<Word>& a, const std::vector<Word>& b, int rows,
                                      int inner, int cols) const = 0;
    virtual ReducedEchelon echelon(const std::vector<Word>& m, int rows, int cols) const = 0;
    virtual std::unique_ptr<RowSpace> row_space(int cols) const = 0;
};

std::unique_ptr<Algebra> make_algebra(const std::string& kind, Word prime, Word second);

}  // namespace qismc
