#pragma once

#include <cstddef>

#include "field/quadratic_field.h"

namespace qismc {

/// Sums of products on registers of eight words, for processors that multiply 52-bit numbers in them
/// (AVX-512 IFMA); others go without. The results are the same to the last bit.
namespace wide {

/// Whether they are used: this processor has the instructions, and nobody forbids it.
bool available();

/// Lets them be used where they can, or forbids it: for tests, and for counts that fit every processor.
void allow(bool allowed);

/// Terms of a combination from which on it pays.
inline constexpr int kFewestTerms = 4;
/// Words of a row from which on it pays.
inline constexpr int kFewestWords = 16;

/// out = sum of c[k] * rows[k], where row k starts at rows + k * stride and has so many entries.
void combine(const PrimeField& f, const Word* c, int count, const Word* rows, std::size_t stride, int cols,
             Word* out);
void combine(const QuadraticField& f, const Gaussian* c, int count, const Gaussian* rows, std::size_t stride,
             int cols, Gaussian* out);

}  // namespace wide
}  // namespace qismc
