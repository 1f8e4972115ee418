#include "linear/lanes.h"

#include <cstring>

#include "linear/wide.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define QISMC_LANES __attribute__((target("avx512f")))
#endif

namespace qismc::lanes {
namespace {

constexpr int kWidth = 8;
using Lanes = double __attribute__((vector_size(kWidth * sizeof(double))));

// The bodies are compiled twice, for any processor and for wide registers. They see and change lanes through
// pointers only: what passes such vectors between functions would depend on the processor.

__attribute__((always_inline)) inline void load(const double* from, Lanes& to) {
    std::memcpy(&to, from, sizeof to);
}

__attribute__((always_inline)) inline std::complex<double> dot_of(Parts x, Parts y, int n) {
    Lanes real = {}, imag = {}, p, q, r, s;
    int i = 0;
    for (; i + kWidth <= n; i += kWidth) {
        load(x.re + i, p);
        load(x.im + i, q);
        load(y.re + i, r);
        load(y.im + i, s);
        real += p * r + q * s;
        imag += p * s - q * r;
    }
    double re = 0, im = 0;
    for (int k = 0; k < kWidth; ++k) {
        re += real[k];
        im += imag[k];
    }
    for (; i < n; ++i) {
        re += x.re[i] * y.re[i] + x.im[i] * y.im[i];
        im += x.re[i] * y.im[i] - x.im[i] * y.re[i];
    }
    return {re, im};
}

__attribute__((always_inline)) inline void subtract_from(std::complex<double> z, Parts x, double* re,
                                                         double* im, int n) {
    const double a = z.real(), b = z.imag();
    Lanes p, q, r, s;
    int i = 0;
    for (; i + kWidth <= n; i += kWidth) {
        load(x.re + i, p);
        load(x.im + i, q);
        load(re + i, r);
        load(im + i, s);
        r -= a * p - b * q;
        s -= a * q + b * p;
        std::memcpy(re + i, &r, sizeof r);
        std::memcpy(im + i, &s, sizeof s);
    }
    for (; i < n; ++i) {
        re[i] -= a * x.re[i] - b * x.im[i];
        im[i] -= a * x.im[i] + b * x.re[i];
    }
}

#ifdef QISMC_LANES
QISMC_LANES std::complex<double> wide_dot(Parts x, Parts y, int n) { return dot_of(x, y, n); }

QISMC_LANES void wide_subtract(std::complex<double> z, Parts x, double* re, double* im, int n) {
    subtract_from(z, x, re, im, n);
}
#endif

}  // namespace

std::complex<double> dot(Parts x, Parts y, int n) {
#ifdef QISMC_LANES
    if (wide::available()) return wide_dot(x, y, n);
#endif
    return dot_of(x, y, n);
}

void subtract(std::complex<double> z, Parts x, double* re, double* im, int n) {
#ifdef QISMC_LANES
    if (wide::available()) return wide_subtract(z, x, re, im, n);
#endif
    subtract_from(z, x, re, im, n);
}

}  // namespace qismc::lanes
