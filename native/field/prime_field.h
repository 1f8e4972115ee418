#pragma once

#include <stdexcept>
#include <string>

#include "field/prime.h"

namespace qismc {

/// The field F_p. Scalars are residues in Montgomery form; outside they are plain residues, one word each.
class PrimeField {
  public:
    using Scalar = Word;
    using Sum = Wide;
    static constexpr bool exact = true;
    static constexpr bool conjugates = false;
    static constexpr int words = 1;

    explicit PrimeField(Word p) : m_((require_field_prime(p), p)) {}

    Word modulus() const { return m_.modulus(); }
    const Montgomery& montgomery() const { return m_; }
    Scalar zero() const { return 0; }
    Scalar one() const { return m_.one(); }
    bool is_zero(Scalar a) const { return a == 0; }
    Scalar add(Scalar a, Scalar b) const { return m_.add(a, b); }
    Scalar sub(Scalar a, Scalar b) const { return m_.sub(a, b); }
    Scalar neg(Scalar a) const { return m_.neg(a); }
    Scalar mul(Scalar a, Scalar b) const { return m_.mul(a, b); }
    /// a * x + b * y, reduced once.
    Scalar dot2(Scalar a, Scalar x, Scalar b, Scalar y) const { return m_.reduce(Wide{a} * x + Wide{b} * y); }
    Scalar conj(Scalar a) const { return a; }
    Scalar pow(Scalar a, Word exponent) const { return m_.pow(a, exponent); }

    Scalar inv(Scalar a) const {
        if (a == 0) throw std::domain_error("0 has no inverse");
        return a == one() ? a : m_.pow(a, modulus() - 2);
    }

    Sum start() const { return 0; }
    Sum accumulate(Sum sum, Scalar a, Scalar b) const { return m_.accumulate(sum, a, b); }
    static constexpr int pile_steps = Montgomery::kPile;
    Sum pile(Sum sum, Scalar a, Scalar b) const { return sum + Wide{a} * b; }
    Sum settle(Sum sum) const { return m_.settle(sum); }
    Scalar finish(Sum sum) const { return m_.reduce(sum); }

    Scalar load(const Word* raw) const { return m_.enter(checked(*raw)); }
    void store(Scalar a, Word* raw) const { *raw = m_.leave(a); }

    /// The scalar of a random word: uniform up to 2^64 mod p.
    template <class Generator>
    Scalar random(Generator& generator) const {
        return generator() % modulus();
    }

  private:
    Word checked(Word residue) const {
        if (residue < modulus()) return residue;
        throw std::domain_error(std::to_string(residue) + " is not a residue modulo " +
                                std::to_string(modulus()));
    }

    Montgomery m_;
};

}  // namespace qismc
