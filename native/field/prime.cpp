#include "field/prime.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

namespace qismc {
namespace {

Word multiply(Word a, Word b, Word n) { return static_cast<Word>(Wide{a} * b % n); }

Word power(Word base, Word exponent, Word n) {
    if (n % 2 == 1 && n >> 62 == 0) {
        const Montgomery ring(n);
        return ring.leave(ring.pow(ring.enter(base % n), exponent));
    }
    Word result = 1 % n;
    for (base %= n; exponent != 0; exponent >>= 1) {
        if (exponent & 1) result = multiply(result, base, n);
        base = multiply(base, base, n);
    }
    return result;
}

/// n = odd * 2^twos + 1.
struct Split {
    Word odd;
    int twos;
};

Split split(Word n) {
    Split s{n - 1, 0};
    for (; s.odd % 2 == 0; s.odd /= 2) ++s.twos;
    return s;
}

/// Arithmetic modulo any n > 1, with the names that Montgomery has.
struct Remainders {
    Word n;
    Word one() const { return 1; }
    Word neg(Word x) const { return n - x; }
    Word enter(Word x) const { return x % n; }
    Word mul(Word a, Word b) const { return multiply(a, b, n); }
    Word pow(Word x, Word exponent) const { return power(x, exponent, n); }
};

/// Whether a base that n does not divide shows that n = odd * 2^twos + 1 is not prime.
template <class Ring>
bool witnesses_composite(const Ring& ring, Word base, const Split& s) {
    const Word minus_one = ring.neg(ring.one());
    Word x = ring.pow(ring.enter(base), s.odd);
    if (x == ring.one() || x == minus_one) return false;
    for (int i = 1; i < s.twos; ++i) {
        x = ring.mul(x, x);
        if (x == minus_one) return false;
    }
    return true;
}

constexpr Word kBases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};

template <class Ring>
bool passes_all(const Ring& ring, Word n) {
    return std::none_of(std::begin(kBases), std::end(kBases),
                        [&, s = split(n)](Word base) { return witnesses_composite(ring, base, s); });
}

/// The least i with x^(2^i) = 1.
int order_exponent(Word x, Word p) {
    int i = 0;
    for (; x != 1; ++i) x = multiply(x, x, p);
    return i;
}

}  // namespace

bool is_prime(Word n) {
    if (n < 2) return false;
    for (const Word b : kBases) {
        if (n % b == 0) return n == b;
    }
    return n >> 62 == 0 ? passes_all(Montgomery(n), n) : passes_all(Remainders{n}, n);
}

std::optional<Word> drawn_prime(std::span<const Word> words, const Progression& among,
                                std::span<const Word> radicands) {
    const int unused = among.count > 1 ? std::countl_zero(among.count - 1) : 63;
    for (const Word word : words) {
        const Word x = word >> unused;
        if (x >= among.count) continue;
        const Word p = (among.low + x) * among.step + static_cast<Word>(among.residue);
        const auto square = [p](Word q) { return is_square(q, p); };
        if (is_prime(p) && std::all_of(radicands.begin(), radicands.end(), square)) return p;
    }
    return std::nullopt;
}

void require_field_prime(Word p) {
    if (p % 2 == 1 && p < (Word{1} << 62) && is_prime(p)) return;
    throw std::invalid_argument("the modulus must be an odd prime below 2^62, got " + std::to_string(p));
}

bool is_square(Word a, Word p) { return power(a, (p - 1) / 2, p) <= 1; }

// Tonelli-Shanks: keeps root^2 = a * rest while the order of rest, a power of two, shrinks to 1.
std::optional<Word> square_root(Word a, Word p) {
    a %= p;
    if (a == 0) return 0;
    if (!is_square(a, p)) return std::nullopt;
    const Split s = split(p);
    Word root = power(a, (s.odd + 1) / 2, p);
    Word rest = power(a, s.odd, p);
    if (rest == 1) return std::min(root, p - root);
    Word nonsquare = 2;
    while (is_square(nonsquare, p)) ++nonsquare;
    Word generator = power(nonsquare, s.odd, p);
    for (int twos = s.twos; rest != 1;) {
        const int order = order_exponent(rest, p);
        const Word factor = power(generator, Word{1} << (twos - order - 1), p);
        root = multiply(root, factor, p);
        generator = multiply(factor, factor, p);
        rest = multiply(rest, generator, p);
        twos = order;
    }
    return std::min(root, p - root);
}

// Both numbers are multiplied by the square of the bottom, so that nothing is divided.
bool has_quarter(const SquaredCosine& cosine, Word p) {
    const Word a = cosine.top % p, b = cosine.bottom % p;
    const auto real = square_root(multiply(a, b, p), p);
    if (!real) return false;
    if (p % 4 == 3) return is_square(multiply(2 * b % p, (b + *real) % p, p), p);  // 2 + 2 cos(t/2)
    const auto imaginary = square_root(multiply(b, (b + p - a) % p, p), p), i = square_root(p - 1, p);
    if (!imaginary || !i) return false;
    return is_square(multiply(b, (*real + multiply(*i, *imaginary, p)) % p, p), p);  // e^{it/2}
}

}  // namespace qismc
