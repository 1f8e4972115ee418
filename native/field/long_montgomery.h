#pragma once

#include "field/montgomery.h"

namespace qismc {

/// Arithmetic modulo an odd p of two words, below 2^126, on residues in Montgomery form (x stands for
/// x 2^128 mod p).
class LongMontgomery {
  public:
    explicit LongMontgomery(Wide modulus) : p_(modulus), inverse_(modulus) {
        for (int i = 0; i < 6; ++i) inverse_ *= 2 - modulus * inverse_;
        one_ = (Wide{0} - modulus) % modulus;  // 2^128 - p
        square_ = one_;
        for (int i = 0; i < 128; ++i) square_ = add(square_, square_);
    }

    Wide modulus() const { return p_; }
    Wide one() const { return one_; }
    Wide enter(Wide residue) const { return mul(residue, square_); }
    Wide leave(Wide x) const { return reduce(x, 0); }

    Wide add(Wide a, Wide b) const { return wrap(a + b - p_); }
    Wide sub(Wide a, Wide b) const { return wrap(a - b); }
    Wide neg(Wide a) const { return a == 0 ? 0 : p_ - a; }
    Wide mul(Wide a, Wide b) const {
        const Product product = multiply(a, b);
        return reduce(product.low, product.high);
    }

    Wide pow(Wide base, Wide exponent) const {
        Wide result = one_;
        for (; exponent != 0; exponent >>= 1) {
            if (exponent & 1) result = mul(result, base);
            base = mul(base, base);
        }
        return result;
    }

  private:
    struct Product {
        Wide low, high;
    };

    static Product multiply(Wide a, Wide b) {
        const Word a0 = static_cast<Word>(a), a1 = static_cast<Word>(a >> 64);
        const Word b0 = static_cast<Word>(b), b1 = static_cast<Word>(b >> 64);
        const Wide low = Wide{a0} * b0, cross = Wide{a0} * b1, other = Wide{a1} * b0;
        const Wide middle = (low >> 64) + static_cast<Word>(cross) + static_cast<Word>(other);
        return {middle << 64 | static_cast<Word>(low),
                Wide{a1} * b1 + (cross >> 64) + (other >> 64) + (middle >> 64)};
    }

    /// (high 2^128 + low) 2^-128 mod p, for high < p.
    Wide reduce(Wide low, Wide high) const { return wrap(high - multiply(low * inverse_, p_).high); }

    /// A difference of residues, brought back into [0, p): the sign bit tells whether it wrapped (p < 2^126).
    Wide wrap(Wide x) const { return x + (p_ & (Wide{0} - (x >> 127))); }

    Wide p_, inverse_, one_ = 0, square_ = 0;
};

}  // namespace qismc
