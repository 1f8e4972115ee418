#include "linear/lanes.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <vector>

namespace qismc::lanes {
namespace {

using Complex = std::complex<double>;

#define QISMC_INLINE __attribute__((always_inline)) inline

// The bodies are compiled for every kind of registers. They see and change lanes through pointers only: what
// passes such vectors between functions would depend on the processor.

template <int Width>
struct Register {
    typedef double Lanes __attribute__((vector_size(Width * sizeof(double))));
};

template <class Lanes>
QISMC_INLINE void load(const double* from, Lanes& to) {
    std::memcpy(&to, from, sizeof to);
}

constexpr int kWidth = 8;  // sums of which a product of vectors consists, whatever the registers
using Eight = Register<kWidth>::Lanes;

template <int Count>
QISMC_INLINE void dots_of(Parts x, Parts y, std::size_t apart, int n, Complex* out) {
    Eight real[Count] = {}, imag[Count] = {}, p, q, r, s;
    int i = 0;
    for (; i + kWidth <= n; i += kWidth) {
        load(x.re + i, p);
        load(x.im + i, q);
        for (int k = 0; k < Count; ++k) {
            load(y.re + k * apart + i, r);
            load(y.im + k * apart + i, s);
            real[k] += p * r + q * s;
            imag[k] += p * s - q * r;
        }
    }
    for (int k = 0; k < Count; ++k) {
        const double *c = y.re + k * apart, *d = y.im + k * apart;
        double re = 0, im = 0;
        for (int lane = 0; lane < kWidth; ++lane) {
            re += real[k][lane];
            im += imag[k][lane];
        }
        for (int j = i; j < n; ++j) {
            re += x.re[j] * c[j] + x.im[j] * d[j];
            im += x.re[j] * d[j] - x.im[j] * c[j];
        }
        out[k] = {re, im};
    }
}

constexpr int kTogether = 4;  // vectors of which each part of another one is read once

QISMC_INLINE void all_dots_of(Parts x, Parts y, std::size_t apart, int count, int n, Complex* out) {
    int k = 0;
    for (; k + kTogether <= count; k += kTogether) {
        dots_of<kTogether>(x, {y.re + k * apart, y.im + k * apart}, apart, n, out + k);
    }
    for (; k < count; ++k) dots_of<1>(x, {y.re + k * apart, y.im + k * apart}, apart, n, out + k);
}

QISMC_INLINE void subtract_from(const Complex* z, Parts x, std::size_t apart, int count, double* re,
                                double* im, int n) {
    Eight p, q, r, s;
    int i = 0;
    for (; i + kWidth <= n; i += kWidth) {
        load(re + i, r);
        load(im + i, s);
        for (int k = 0; k < count; ++k) {
            const double a = z[k].real(), b = z[k].imag();
            load(x.re + k * apart + i, p);
            load(x.im + k * apart + i, q);
            r -= a * p - b * q;
            s -= a * q + b * p;
        }
        std::memcpy(re + i, &r, sizeof r);
        std::memcpy(im + i, &s, sizeof s);
    }
    for (; i < n; ++i) {
        for (int k = 0; k < count; ++k) {
            const double a = z[k].real(), b = z[k].imag();
            const double c = x.re[k * apart + i], d = x.im[k * apart + i];
            re[i] -= a * c - b * d;
            im[i] -= a * d + b * c;
        }
    }
}

/// A product of a few rows with a few columns: `Blocks` registers, in which complex numbers stand side by
/// side. Products with real and with imaginary parts are summed apart, and put together at the end.
template <int Width, int Count, int Blocks>
QISMC_INLINE void tile_of(Rows<const double> a, Rows<const double> b, Rows<double> out, int inner) {
    using Lanes = typename Register<Width>::Lanes;
    Lanes real[Count][Blocks] = {}, imag[Count][Blocks] = {}, x[Blocks];
    for (int k = 0; k < inner; ++k) {
        for (int block = 0; block < Blocks; ++block) load(b.data + k * b.stride + block * Width, x[block]);
        for (int i = 0; i < Count; ++i) {
            const double p = a.data[i * a.stride + 2 * k], q = a.data[i * a.stride + 2 * k + 1];
            for (int block = 0; block < Blocks; ++block) {
                real[i][block] += p * x[block];
                imag[i][block] += q * x[block];
            }
        }
    }
    for (int i = 0; i < Count; ++i) {
        for (int block = 0; block < Blocks; ++block) {
            double* to = out.data + i * out.stride + block * Width;
            for (int lane = 0; lane < Width; lane += 2) {
                to[lane] = real[i][block][lane] - imag[i][block][lane + 1];
                to[lane + 1] = real[i][block][lane + 1] + imag[i][block][lane];
            }
        }
    }
}

/// All columns of a few rows of a product; numbers are counted as doubles.
template <int Width, int Count>
QISMC_INLINE void rows_of(Rows<const double> a, Rows<const double> b, Rows<double> out, int inner, int cols) {
    constexpr int kBlocks = 2;
    int j = 0;
    for (; j + kBlocks * Width <= cols; j += kBlocks * Width) {
        tile_of<Width, Count, kBlocks>(a, {b.data + j, b.stride}, {out.data + j, out.stride}, inner);
    }
    for (; j < cols; j += 2) {
        tile_of<2, Count, 1>(a, {b.data + j, b.stride}, {out.data + j, out.stride}, inner);
    }
}

template <int Width, int Count>
QISMC_INLINE void product_of(Rows<const double> a, Rows<const double> b, Rows<double> out, int rows,
                             int inner, int cols) {
    int i = 0;
    for (; i + Count <= rows; i += Count) {
        rows_of<Width, Count>({a.data + i * a.stride, a.stride}, b, {out.data + i * out.stride, out.stride},
                              inner, cols);
    }
    for (; i < rows; ++i) {
        rows_of<Width, 1>({a.data + i * a.stride, a.stride}, b, {out.data + i * out.stride, out.stride},
                          inner, cols);
    }
}

/// The functions below for one kind of registers.
struct Kernels {
    Complex (*dot)(Parts, Parts, int);
    void (*dots)(Parts, Parts, std::size_t, int, int, Complex*);
    void (*subtract)(const Complex*, Parts, std::size_t, int, double*, double*, int);
    void (*multiply)(Rows<const double>, Rows<const double>, Rows<double>, int, int, int);
};

#define QISMC_KERNELS(name, target, width, count)                                                       \
    target Complex name##_dot(Parts x, Parts y, int n) {                                                \
        Complex sum;                                                                                    \
        dots_of<1>(x, y, 0, n, &sum);                                                                   \
        return sum;                                                                                     \
    }                                                                                                   \
    target void name##_dots(Parts x, Parts y, std::size_t apart, int count_, int n, Complex* out) {     \
        all_dots_of(x, y, apart, count_, n, out);                                                       \
    }                                                                                                   \
    target void name##_subtract(const Complex* z, Parts x, std::size_t apart, int count_, double* re,   \
                                double* im, int n) {                                                    \
        subtract_from(z, x, apart, count_, re, im, n);                                                  \
    }                                                                                                   \
    target void name##_multiply(Rows<const double> a, Rows<const double> b, Rows<double> out, int rows, \
                                int inner, int cols) {                                                  \
        product_of<width, count>(a, b, out, rows, inner, cols);                                         \
    }                                                                                                   \
    constexpr Kernels name{name##_dot, name##_dots, name##_subtract, name##_multiply};

QISMC_KERNELS(plain, , 2, 2)

#if defined(__x86_64__) && defined(__GNUC__)
QISMC_KERNELS(avx2, __attribute__((target("avx2"))), 4, 2)
QISMC_KERNELS(avx512, __attribute__((target("avx512f"))), 8, 4)

const Kernels& best(int width) {
    __builtin_cpu_init();  // static variables may be made before the library knows the processor
    if (width >= 8 && __builtin_cpu_supports("avx512f")) return avx512;
    return width >= 4 && __builtin_cpu_supports("avx2") ? avx2 : plain;
}
#else
const Kernels& best(int) { return plain; }
#endif

std::atomic<const Kernels*> used = &best(8);

const Kernels& kernels() { return *used.load(std::memory_order_relaxed); }

constexpr std::size_t kCached = 1 << 17;  // entries of a matrix that is read as it is
constexpr int kPacked = 32;               // columns of a larger one that are brought together

Rows<const double> parts_of(Rows<const Complex> m) {
    return {reinterpret_cast<const double*>(m.data), 2 * m.stride};
}

}  // namespace

void allow(int width) { used = &best(width); }

Complex dot(Parts x, Parts y, int n) { return kernels().dot(x, y, n); }

void dots(Parts x, Parts y, std::size_t apart, int count, int n, Complex* out) {
    kernels().dots(x, y, apart, count, n, out);
}

void subtract(Complex z, Parts x, double* re, double* im, int n) {
    kernels().subtract(&z, x, 0, 1, re, im, n);
}

void subtract_all(const Complex* z, Parts x, std::size_t apart, int count, double* re, double* im, int n) {
    kernels().subtract(z, x, apart, count, re, im, n);
}

void multiply(Rows<const Complex> a, Rows<const Complex> b, Rows<Complex> out, int rows, int inner,
              int cols) {
    const auto product = [&](Rows<const Complex> part, int begin, int end) {
        Complex* to = out.data + begin;
        kernels().multiply(parts_of(a), parts_of(part), {reinterpret_cast<double*>(to), 2 * out.stride}, rows,
                           inner, 2 * (end - begin));
    };
    if (static_cast<std::size_t>(inner) * b.stride <= kCached) return product(b, 0, cols);
    std::vector<Complex> packed(static_cast<std::size_t>(inner) * kPacked);
    for (int begin = 0; begin < cols; begin += kPacked) {  // rows far apart spoil caches
        const int end = std::min(begin + kPacked, cols);
        for (int k = 0; k < inner; ++k) {
            std::copy_n(b.data + k * b.stride + begin, end - begin, packed.data() + k * kPacked);
        }
        product({packed.data(), kPacked}, begin, end);
    }
}

}  // namespace qismc::lanes
