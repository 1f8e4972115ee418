#pragma once

#include <complex>
#include <cstddef>

namespace qismc {

/// Long complex vectors and large matrices on registers of eight doubles where the processor has them
/// (AVX-512), or of four (AVX2); others use several smaller ones. The results are the same to the last bit.
/// The parts of vectors are apart, those of matrices are not.
namespace lanes {

/// Uses no registers of more than so many doubles (2, 4 or 8): for tests, and for counts that fit every
/// processor.
void allow(int width);

/// Entries from which on it pays.
inline constexpr int kLong = 32;

struct Parts {
    const double *re, *im;
};

/// <x|y>.
std::complex<double> dot(Parts x, Parts y, int n);

/// out[k] = <x|y_k> for so many vectors y_k, each `apart` behind the one before.
void dots(Parts x, Parts y, std::size_t apart, int count, int n, std::complex<double>* out);

/// y -= z * x.
void subtract(std::complex<double> z, Parts x, double* re, double* im, int n);

/// y -= sum of z[k] * x_k for so many vectors x_k, each `apart` behind the one before.
void subtract_all(const std::complex<double>* z, Parts x, std::size_t apart, int count, double* re,
                  double* im, int n);

/// A matrix by its first entry and the distance of its rows.
template <class Entry>
struct Rows {
    Entry* data;
    std::size_t stride;
};

/// Does `multiply` pay for a product of these sizes?
inline bool worth(int rows, int inner, int cols) { return rows >= 2 && inner >= 8 && cols >= 8; }

/// out = a * b, where a has so many rows, b `inner` rows and so many columns.
void multiply(Rows<const std::complex<double>> a, Rows<const std::complex<double>> b,
              Rows<std::complex<double>> out, int rows, int inner, int cols);

}  // namespace lanes
}  // namespace qismc
