#pragma once

#include <complex>

namespace qismc {

/// Long complex vectors, real and imaginary parts apart, on registers of eight doubles where the processor
/// has them (AVX-512); others use several smaller ones. The results are the same to the last bit.
namespace lanes {

/// Entries from which on it pays.
inline constexpr int kLong = 32;

struct Parts {
    const double *re, *im;
};

/// <x|y>.
std::complex<double> dot(Parts x, Parts y, int n);

/// y -= z * x.
void subtract(std::complex<double> z, Parts x, double* re, double* im, int n);

}  // namespace lanes
}  // namespace qismc
