#pragma once

#include "field/prime_field.h"

namespace qismc {

/// A number that is zero modulo one of two primes only: it is not zero, and the other prime shows it.
class PrimesDisagree : public std::runtime_error {
  public:
    PrimesDisagree() : std::runtime_error("a number is zero modulo one of two primes only") {}
};

/// Residues modulo two primes, both in Montgomery form.
struct Twin {
    Word first = 0, second = 0;
    bool operator==(const Twin&) const = default;
};

/// The ring F_p x F_q: a computation with two primes at once. What has to be asked is asked of both, and
/// where they disagree the computation ends; so all that it meets is zero or has an inverse, as in a field.
/// Two words per scalar.
class TwinField {
  public:
    using Scalar = Twin;
    struct Sum {
        Wide first, second;
    };
    static constexpr bool exact = true;
    static constexpr bool conjugates = false;
    static constexpr int words = 2;

    TwinField(Word p, Word q) : first_(p), second_(q) {
        if (p == q) throw std::invalid_argument("two different primes are needed, not " + std::to_string(p));
    }

    Word first_prime() const { return first_.modulus(); }
    Word second_prime() const { return second_.modulus(); }
    /// The low word of p q, to tell rings apart.
    Word modulus() const { return first_.modulus() * second_.modulus(); }
    Scalar zero() const { return {}; }
    Scalar one() const { return {first_.one(), second_.one()}; }

    bool is_zero(Scalar a) const {
        const bool zero = a.first == 0;
        if (zero != (a.second == 0)) throw PrimesDisagree();
        return zero;
    }

    Scalar add(Scalar a, Scalar b) const {
        return {first_.add(a.first, b.first), second_.add(a.second, b.second)};
    }
    Scalar sub(Scalar a, Scalar b) const {
        return {first_.sub(a.first, b.first), second_.sub(a.second, b.second)};
    }
    Scalar neg(Scalar a) const { return {first_.neg(a.first), second_.neg(a.second)}; }
    Scalar mul(Scalar a, Scalar b) const {
        return {first_.mul(a.first, b.first), second_.mul(a.second, b.second)};
    }
    Scalar dot2(Scalar a, Scalar x, Scalar b, Scalar y) const {
        return {first_.dot2(a.first, x.first, b.first, y.first),
                second_.dot2(a.second, x.second, b.second, y.second)};
    }
    Scalar conj(Scalar a) const { return a; }
    Scalar pow(Scalar a, Word exponent) const { return pow(a, exponent, exponent); }
    /// Another power modulo each prime.
    Scalar pow(Scalar a, Word first, Word second) const {
        return {first_.pow(a.first, first), second_.pow(a.second, second)};
    }
    Scalar inv(Scalar a) const {
        if (is_zero(a)) throw std::domain_error("0 has no inverse");
        return {first_.inv(a.first), second_.inv(a.second)};
    }

    Sum start() const { return {0, 0}; }
    Sum accumulate(Sum sum, Scalar a, Scalar b) const {
        return {first_.accumulate(sum.first, a.first, b.first),
                second_.accumulate(sum.second, a.second, b.second)};
    }
    static constexpr int pile_steps = PrimeField::pile_steps;
    Sum pile(Sum sum, Scalar a, Scalar b) const {
        return {first_.pile(sum.first, a.first, b.first), second_.pile(sum.second, a.second, b.second)};
    }
    Sum settle(Sum sum) const { return {first_.settle(sum.first), second_.settle(sum.second)}; }
    Scalar finish(Sum sum) const { return {first_.finish(sum.first), second_.finish(sum.second)}; }

    Scalar load(const Word* raw) const { return {first_.load(raw), second_.load(raw + 1)}; }
    void store(Scalar a, Word* raw) const {
        first_.store(a.first, raw);
        second_.store(a.second, raw + 1);
    }

    template <class Generator>
    Scalar random(Generator& generator) const {
        const Word first = first_.random(generator);
        return {first, second_.random(generator)};
    }

  private:
    PrimeField first_, second_;
};

/// The field that settings ask for: twins have two primes, a long prime has two words.
template <class F>
F field_of(Word prime, Word second) {
    if constexpr (std::is_constructible_v<F, Word, Word>) {
        return F(prime, second);
    } else {
        if (second != 0)
            throw std::invalid_argument("only the kinds twin, long and long2 have a second word");
        return F(prime);
    }
}

}  // namespace qismc
