#pragma once

#include "field/prime_field.h"

namespace qismc {

/// re + im * i, both in Montgomery form.
struct Gaussian {
    Word re = 0, im = 0;
    bool operator==(const Gaussian&) const = default;
};

/// The field F_{p^2} = F_p(i), p = 3 mod 4; conjugation (re, -im) is Frobenius. Two words per scalar.
class QuadraticField {
  public:
    using Scalar = Gaussian;
    struct Sum {
        Wide re, im;
    };
    static constexpr bool exact = true;
    static constexpr bool conjugates = true;
    static constexpr int words = 2;

    explicit QuadraticField(Word p) : base_(p), m_(p) {
        if (p % 4 == 3) return;
        throw std::invalid_argument("F_p(i) needs a prime p = 3 mod 4, got " + std::to_string(p));
    }

    Word modulus() const { return m_.modulus(); }
    const Montgomery& montgomery() const { return m_; }
    Scalar zero() const { return {}; }
    Scalar one() const { return {m_.one(), 0}; }
    bool is_zero(Scalar a) const { return (a.re | a.im) == 0; }
    Scalar add(Scalar a, Scalar b) const { return {m_.add(a.re, b.re), m_.add(a.im, b.im)}; }
    Scalar sub(Scalar a, Scalar b) const { return {m_.sub(a.re, b.re), m_.sub(a.im, b.im)}; }
    Scalar neg(Scalar a) const { return {m_.neg(a.re), m_.neg(a.im)}; }
    Scalar conj(Scalar a) const { return {a.re, m_.neg(a.im)}; }

    // Sums of two products stay below p * 2^64, so each part needs one reduction only.
    Scalar mul(Scalar a, Scalar b) const {
        const Wide re = Wide{a.re} * b.re + Wide{m_.modulus() - a.im} * b.im;
        const Wide im = Wide{a.re} * b.im + Wide{a.im} * b.re;
        return {m_.reduce(re), m_.reduce(im)};
    }

    /// a * x + b * y: four products in each part, as many as one reduction takes.
    Scalar dot2(Scalar a, Scalar x, Scalar b, Scalar y) const {
        return finish(pile(pile(start(), a, x), b, y));
    }

    Scalar pow(Scalar a, Word exponent) const {
        Scalar result = one();
        for (; exponent != 0; exponent >>= 1) {
            if (exponent & 1) result = mul(result, a);
            a = mul(a, a);
        }
        return result;
    }

    Scalar inv(Scalar a) const {
        if (a.im == 0) return {base_.inv(a.re), 0};
        const Word norm = m_.reduce(Wide{a.re} * a.re + Wide{a.im} * a.im);
        const Word scale = base_.inv(norm);
        return {m_.mul(a.re, scale), m_.neg(m_.mul(a.im, scale))};
    }

    Sum start() const { return {0, 0}; }
    Sum accumulate(Sum s, Scalar a, Scalar b) const { return settle(pile(s, a, b)); }
    static constexpr int pile_steps = Montgomery::kPile / 2;
    Sum pile(Sum s, Scalar a, Scalar b) const {
        return {s.re + Wide{a.re} * b.re + Wide{m_.modulus() - a.im} * b.im,
                s.im + Wide{a.re} * b.im + Wide{a.im} * b.re};
    }
    Sum settle(Sum s) const { return {m_.settle(s.re), m_.settle(s.im)}; }
    Scalar finish(Sum s) const { return {m_.reduce(s.re), m_.reduce(s.im)}; }

    Scalar load(const Word* raw) const { return {base_.load(raw), base_.load(raw + 1)}; }
    void store(Scalar a, Word* raw) const {
        base_.store(a.re, raw);
        base_.store(a.im, raw + 1);
    }

    template <class Generator>
    Scalar random(Generator& generator) const {
        const Word re = base_.random(generator);
        return {re, base_.random(generator)};
    }

  private:
    PrimeField base_;
    Montgomery m_;
};

}  // namespace qismc
