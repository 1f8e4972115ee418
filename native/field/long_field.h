#pragma once

#include <stdexcept>
#include <string>

#include "field/long_montgomery.h"

namespace qismc {

/// The field F_p for a prime p = h 2^64 + 1 between 2^125 and 2^126: room for roots of unity whose order is
/// up to 2^100 or so. Scalars are in Montgomery form; outside they are plain residues, the low word first.
class LongField {
  public:
    using Scalar = Wide;
    using Sum = Wide;
    static constexpr bool exact = true;
    static constexpr bool conjugates = false;
    static constexpr int words = 2;

    LongField(Word low, Word high) : m_(Wide{high} << 64 | low) {
        if (low == 1 && is_prime(high)) return;
        throw std::invalid_argument("the modulus must be a prime h 2^64 + 1 between 2^125 and 2^126");
    }

    /// Whether h 2^64 + 1 is a prime between 2^125 and 2^126, by Proth's theorem: a^((p-1)/2) = -1 for some a
    /// proves it, since h < 2^64. A prime passes with one of the bases, but for one in 2^18.
    static bool is_prime(Word h) {
        if (h >> 61 != 1) return false;
        const LongMontgomery m(Wide{h} << 64 | 1);
        for (const Word base : {3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67}) {
            const Wide root = m.pow(m.enter(base), m.modulus() / 2);
            if (root == m.neg(m.one())) return true;
            if (root != m.one()) return false;
        }
        return false;
    }

    Word low() const { return static_cast<Word>(m_.modulus()); }
    Word high() const { return static_cast<Word>(m_.modulus() >> 64); }
    /// Tells these fields apart: the low word of p is always 1.
    Word modulus() const { return high(); }
    Scalar zero() const { return 0; }
    Scalar one() const { return m_.one(); }
    bool is_zero(Scalar a) const { return a == 0; }
    Scalar add(Scalar a, Scalar b) const { return m_.add(a, b); }
    Scalar sub(Scalar a, Scalar b) const { return m_.sub(a, b); }
    Scalar neg(Scalar a) const { return m_.neg(a); }
    Scalar mul(Scalar a, Scalar b) const { return m_.mul(a, b); }
    Scalar dot2(Scalar a, Scalar x, Scalar b, Scalar y) const { return add(mul(a, x), mul(b, y)); }
    Scalar conj(Scalar a) const { return a; }
    Scalar pow(Scalar a, Wide exponent) const { return m_.pow(a, exponent); }
    Scalar inv(Scalar a) const {
        if (a == 0) throw std::domain_error("0 has no inverse");
        return a == one() ? a : m_.pow(a, m_.modulus() - 2);
    }

    // Every product is reduced: sums of four words would gain little.
    Sum start() const { return 0; }
    Sum accumulate(Sum sum, Scalar a, Scalar b) const { return add(sum, mul(a, b)); }
    static constexpr int pile_steps = Montgomery::kPile;
    Sum pile(Sum sum, Scalar a, Scalar b) const { return accumulate(sum, a, b); }
    Sum settle(Sum sum) const { return sum; }
    Scalar finish(Sum sum) const { return sum; }

    Scalar load(const Word* raw) const { return load_residue(m_, raw); }
    void store(Scalar a, Word* raw) const { store_residue(m_, a, raw); }

    template <class Generator>
    Scalar random(Generator& generator) const {
        return random_residue(m_, generator);
    }

    static Wide load_residue(const LongMontgomery& m, const Word* raw) {
        const Wide residue = Wide{raw[1]} << 64 | raw[0];
        if (residue >= m.modulus()) throw std::domain_error("a number is no residue modulo the prime");
        return m.enter(residue);
    }

    static void store_residue(const LongMontgomery& m, Wide a, Word* raw) {
        const Wide residue = m.leave(a);
        raw[0] = static_cast<Word>(residue);
        raw[1] = static_cast<Word>(residue >> 64);
    }

    /// No scalar is more than twice as likely as in a fair draw.
    template <class Generator>
    static Wide random_residue(const LongMontgomery& m, Generator& generator) {
        const Wide high = generator() & (~Word{0} >> 2);
        const Wide drawn = high << 64 | generator();
        return drawn >= m.modulus() ? drawn - m.modulus() : drawn;
    }

  private:
    LongMontgomery m_;
};

}  // namespace qismc
