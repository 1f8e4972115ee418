#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace qismc::stabiliser {

/// A Hermitian Pauli string with sign +1: qubits with their letters, 1 = X, 2 = Z, 3 = Y.
using Pauli = std::vector<std::pair<std::uint32_t, std::uint8_t>>;

inline constexpr std::uint8_t kX = 1, kZ = 2, kY = 3;

/// A Pauli string with its sign.
struct Signed {
    Pauli letters;
    bool minus = false;
};

/// Generators of a group of commuting Pauli strings.
using Strings = std::vector<Signed>;

/// The generators of a product of the one-qubit states 0 1 + - r l; letter k stands on qubits[k].
Strings of_product(std::string_view letters, std::span<const std::uint32_t> qubits);

/// A string of the letters I X Y Z; letter k stands on qubits[k].
Signed of_letters(bool minus, std::string_view letters, std::span<const std::uint32_t> qubits);

/// Is there a state that all strings stabilise? Not if -1 is a product of them.
bool is_consistent(const Strings& strings);

/// Generators of what two groups share up to signs: element k of the one group and of the other.
struct Common {
    Strings ours, theirs;
};
Common common(const Strings& left, const Strings& right);

/// Generators of the elements that two groups have with the same sign; whether some have opposite signs: then
/// no state is in both codes, and they are orthogonal.
struct Compared {
    Strings agreeing;
    bool contradict = false;
};
Compared compared(const Strings& left, const Strings& right);

}  // namespace qismc::stabiliser
