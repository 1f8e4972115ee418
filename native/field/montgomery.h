#pragma once

#include <cstdint>

namespace qismc {

using Word = std::uint64_t;
__extension__ using Wide = unsigned __int128;

/// Arithmetic modulo an odd p < 2^62 on residues in Montgomery form (x stands for x * 2^64 mod p).
class Montgomery {
  public:
    explicit constexpr Montgomery(Word modulus) : p_(modulus), inverse_(modulus) {
        for (int i = 0; i < 5; ++i) inverse_ *= 2 - modulus * inverse_;
        one_ = static_cast<Word>((Wide{1} << 64) % modulus);
        square_ = static_cast<Word>(Wide{one_} * one_ % modulus);
    }

    constexpr Word modulus() const { return p_; }
    constexpr Word one() const { return one_; }
    constexpr Word enter(Word residue) const { return mul(residue, square_); }
    constexpr Word leave(Word x) const { return reduce(x); }

    constexpr Word add(Word a, Word b) const { return wrap(a + b - p_); }
    constexpr Word sub(Word a, Word b) const { return wrap(a - b); }
    constexpr Word neg(Word a) const { return a == 0 ? 0 : p_ - a; }
    constexpr Word mul(Word a, Word b) const { return reduce(Wide{a} * b); }

    /// x * 2^-64 mod p, for any x < p * 2^64 (four products of residues fit).
    constexpr Word reduce(Wide x) const {
        const Word quotient = static_cast<Word>(x) * inverse_;
        const Word excess = static_cast<Word>(Wide{quotient} * p_ >> 64);
        return wrap(static_cast<Word>(x >> 64) - excess);
    }

    /// sum + a * b, kept below p * 2^64 so that sums of any length can be reduced once.
    constexpr Wide accumulate(Wide sum, Word a, Word b) const {
        const Wide next = sum + Wide{a} * b;
        const Word high = static_cast<Word>(next >> 64);
        return high >= p_ ? next - (Wide{p_} << 64) : next;
    }

    /// Products of residues that may be added to a sum below p * 2^64 before `settle` is due.
    static constexpr int kPile = 8;

    /// A sum below 3 * p * 2^64, as kPile products make it, brought below p * 2^64.
    constexpr Wide settle(Wide sum) const {
        const Word high = static_cast<Word>(sum >> 64);
        const Word once = high >= 2 * p_ ? high - 2 * p_ : high;
        const Word twice = once >= p_ ? once - p_ : once;
        return (Wide{twice} << 64) | static_cast<Word>(sum);
    }

    constexpr Word pow(Word base, Word exponent) const {
        Word result = one_;
        for (; exponent != 0; exponent >>= 1) {
            if (exponent & 1) result = mul(result, base);
            base = mul(base, base);
        }
        return result;
    }

  private:
    /// A difference of residues, brought back into [0, p): the sign bit tells whether it wrapped (p < 2^62).
    constexpr Word wrap(Word x) const { return x + (p_ & (Word{0} - (x >> 63))); }

    Word p_, inverse_, one_ = 0, square_ = 0;
};

}  // namespace qismc
