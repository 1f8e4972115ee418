#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "field/montgomery.h"

namespace qismc {

/// Whether n is prime (deterministic Miller-Rabin for 64-bit numbers).
bool is_prime(Word n);

/// Numbers (low + x) * step + residue for 0 <= x < count.
struct Progression {
    Word low, count, step;
    std::int64_t residue;
};

/// The first prime of a progression, modulo which all radicands are squares, that random words draw: x is
/// the top bits of a word, and words that give no x < count draw nothing.
std::optional<Word> drawn_prime(std::span<const Word> words, const Progression& among,
                                std::span<const Word> radicands);

/// Throws std::invalid_argument unless p is an odd prime below 2^62.
void require_field_prime(Word p);

/// Whether a is a square modulo the odd prime p (0 is one).
bool is_square(Word a, Word p);

/// The smaller square root of a modulo the odd prime p, if there is one.
std::optional<Word> square_root(Word a, Word p);

/// cos^2(t/2) of an angle t.
struct SquaredCosine {
    Word top, bottom;
};

/// Whether there is an e^{it/4} of norm 1 modulo the odd prime p: in F_p(i) if p = 3 modulo 4, else in F_p.
/// The signs of the square roots that e^{it/2} is made of do not matter.
bool has_quarter(const SquaredCosine& cosine, Word p);

}  // namespace qismc
