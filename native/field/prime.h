#pragma once

#include <optional>

#include "field/montgomery.h"

namespace qismc {

/// Whether n is prime (deterministic Miller-Rabin for 64-bit numbers).
bool is_prime(Word n);

/// Throws std::invalid_argument unless p is an odd prime below 2^62.
void require_field_prime(Word p);

/// Whether a is a square modulo the odd prime p (0 is one).
bool is_square(Word a, Word p);

/// The smaller square root of a modulo the odd prime p, if there is one.
std::optional<Word> square_root(Word a, Word p);

}  // namespace qismc
