#pragma once

#include <numeric>

#include "field/long_field.h"

namespace qismc {

/// re + im * i, both of two words in Montgomery form.
struct LongGaussian {
    Wide re = 0, im = 0;
    bool operator==(const LongGaussian&) const = default;
};

/// The field F_{p^2} = F_p(i) for a prime p = h 2^64 - 1 between 2^125 and 2^126: roots of unity of large
/// order lie in its group of norm 1. Conjugation (re, -im) is Frobenius. Four words per scalar.
class LongQuadraticField {
  public:
    using Scalar = LongGaussian;
    using Sum = LongGaussian;
    static constexpr bool exact = true;
    static constexpr bool conjugates = true;
    static constexpr int words = 4;

    LongQuadraticField(Word low, Word high) : m_(Wide{high} << 64 | low) {
        if (low == ~Word{0} && is_prime(high + 1)) return;
        throw std::invalid_argument("the modulus must be a prime h 2^64 - 1 between 2^125 and 2^126");
    }

    /// Whether h 2^64 - 1 is a prime between 2^125 and 2^126, by Morrison's theorem (n + 1 has the factor
    /// 2^64): it is proved by some z = a + i, of a norm prime to p, with (z / conj z)^((p+1)/2) = -1, that is
    /// Re z^((p+1)/2) = 0. A prime passes with one of them, but for one in 2^18 or so.
    static bool is_prime(Word h) {
        if (h >> 61 != 1 || h << 3 == 0) return false;
        const LongQuadraticField ring((Wide{h} << 64) - 1);
        for (Word a = 2; a < 20; ++a) {
            const Word norm = a * a + 1;
            if (std::gcd(norm, static_cast<Word>(ring.m_.modulus() % norm)) != 1) return false;
            const Scalar root = ring.pow({ring.m_.enter(a), ring.m_.one()}, (ring.m_.modulus() + 1) / 2);
            if (root.re == 0) return true;
            if (root.im != 0) return false;
        }
        return false;
    }

    Word low() const { return static_cast<Word>(m_.modulus()); }
    Word high() const { return static_cast<Word>(m_.modulus() >> 64); }
    /// Tells these fields apart: the low word of p is always the same.
    Word modulus() const { return high(); }
    Scalar zero() const { return {}; }
    Scalar one() const { return {m_.one(), 0}; }
    bool is_zero(Scalar a) const { return (a.re | a.im) == 0; }
    Scalar add(Scalar a, Scalar b) const { return {m_.add(a.re, b.re), m_.add(a.im, b.im)}; }
    Scalar sub(Scalar a, Scalar b) const { return {m_.sub(a.re, b.re), m_.sub(a.im, b.im)}; }
    Scalar neg(Scalar a) const { return {m_.neg(a.re), m_.neg(a.im)}; }
    Scalar conj(Scalar a) const { return {a.re, m_.neg(a.im)}; }

    /// Three products of parts: im = (a.re + a.im) (b.re + b.im) - a.re b.re - a.im b.im.
    Scalar mul(Scalar a, Scalar b) const {
        const Wide re = m_.mul(a.re, b.re), im = m_.mul(a.im, b.im);
        const Wide both = m_.mul(m_.add(a.re, a.im), m_.add(b.re, b.im));
        return {m_.sub(re, im), m_.sub(both, m_.add(re, im))};
    }
    Scalar dot2(Scalar a, Scalar x, Scalar b, Scalar y) const { return add(mul(a, x), mul(b, y)); }

    Scalar pow(Scalar a, Wide exponent) const {
        Scalar result = one();
        for (; exponent != 0; exponent >>= 1) {
            if (exponent & 1) result = mul(result, a);
            a = mul(a, a);
        }
        return result;
    }

    Scalar inv(Scalar a) const {
        if (is_zero(a)) throw std::domain_error("0 has no inverse");
        if (a == one()) return a;
        const Wide norm = m_.add(m_.mul(a.re, a.re), m_.mul(a.im, a.im));
        const Wide scale = m_.pow(norm, m_.modulus() - 2);
        return {m_.mul(a.re, scale), m_.neg(m_.mul(a.im, scale))};
    }

    Sum start() const { return {}; }
    Sum accumulate(Sum sum, Scalar a, Scalar b) const { return add(sum, mul(a, b)); }
    static constexpr int pile_steps = Montgomery::kPile;
    Sum pile(Sum sum, Scalar a, Scalar b) const { return accumulate(sum, a, b); }
    Sum settle(Sum sum) const { return sum; }
    Scalar finish(Sum sum) const { return sum; }

    Scalar load(const Word* raw) const {
        return {LongField::load_residue(m_, raw), LongField::load_residue(m_, raw + 2)};
    }
    void store(Scalar a, Word* raw) const {
        LongField::store_residue(m_, a.re, raw);
        LongField::store_residue(m_, a.im, raw + 2);
    }

    template <class Generator>
    Scalar random(Generator& generator) const {
        const Wide re = LongField::random_residue(m_, generator);
        return {re, LongField::random_residue(m_, generator)};
    }

  private:
    explicit LongQuadraticField(Wide p) : m_(p) {}

    LongMontgomery m_;
};

}  // namespace qismc
