#pragma once

#include <bit>
#include <cmath>
#include <complex>
#include <stdexcept>

#include "field/montgomery.h"

namespace qismc {

/// This part of the norm is rounding noise: a unit vector moves by as much at most where it is dropped.
inline constexpr double kTruncation = 1e-12;

/// The complex numbers in double precision; ranks over them are decided by tolerance, not by elimination.
class ComplexField {
  public:
    using Scalar = std::complex<double>;
    using Sum = Scalar;
    static constexpr bool exact = false;
    static constexpr bool conjugates = true;
    static constexpr int words = 2;

    explicit ComplexField(Word) {}

    /// What is dropped as noise.
    double truncation = kTruncation;

    Word modulus() const { return 0; }
    Scalar zero() const { return 0; }
    Scalar one() const { return 1; }
    bool is_zero(Scalar a) const { return a == Scalar{}; }
    Scalar add(Scalar a, Scalar b) const { return a + b; }
    Scalar sub(Scalar a, Scalar b) const { return a - b; }
    Scalar neg(Scalar a) const { return -a; }
    Scalar conj(Scalar a) const { return std::conj(a); }

    // Written out: the library's product also repairs infinities, which never occur here, and is slow.
    Scalar mul(Scalar a, Scalar b) const {
        return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
    }

    Scalar dot2(Scalar a, Scalar x, Scalar b, Scalar y) const { return mul(a, x) + mul(b, y); }

    Scalar inv(Scalar a) const {
        if (is_zero(a)) throw std::domain_error("0 has no inverse");
        return Scalar{1} / a;
    }

    Sum start() const { return 0; }
    Sum accumulate(Sum sum, Scalar a, Scalar b) const { return sum + mul(a, b); }
    static constexpr int pile_steps = 1 << 20;
    Sum pile(Sum sum, Scalar a, Scalar b) const { return sum + mul(a, b); }
    Sum settle(Sum sum) const { return sum; }
    Scalar finish(Sum sum) const { return sum; }

    Scalar load(const Word* raw) const {
        const Scalar a{std::bit_cast<double>(raw[0]), std::bit_cast<double>(raw[1])};
        if (std::isfinite(a.real()) && std::isfinite(a.imag())) return a;
        throw std::domain_error("a complex entry is not finite");
    }
    void store(Scalar a, Word* raw) const {
        raw[0] = std::bit_cast<Word>(a.real());
        raw[1] = std::bit_cast<Word>(a.imag());
    }

    /// A point of the square [-1, 1]^2.
    template <class Generator>
    Scalar random(Generator& generator) const {
        const double re = unit(generator());
        return {re, unit(generator())};
    }

  private:
    static double unit(Word bits) { return std::ldexp(static_cast<double>(bits), -63) - 1.0; }
};

}  // namespace qismc
