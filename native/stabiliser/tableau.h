#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace qismc::stabiliser {

/// A sum modulo 2 of atoms, each listed once; atom 0 is the constant 1.
using Function = std::vector<std::uint32_t>;

/// A Hermitian Pauli string with sign +1: qubits with their letters, 1 = X, 2 = Z, 3 = Y.
using Pauli = std::vector<std::pair<std::uint32_t, std::uint8_t>>;

/// Conjugation by a unitary on `width` qubits.
///
/// Bit 2k of a mask stands for X on local qubit k, bit 2k + 1 for Z. A Pauli whose bits are a goes to the one
/// whose bits are the sum of images[j] over the ones of a; the sign is the sum over all monomials of the
/// products of their bits of a.
struct Clifford {
    std::uint32_t width;
    std::vector<std::uint32_t> images, monomials;
};

inline constexpr std::uint32_t kMostQubits = 3;

/// What a measurement finds: a value that is decided, a fair coin, or what the start left open.
enum class Finding { fixed, coin, open };

/// A stabiliser group whose signs are functions, completed to a symplectic basis.
///
/// Row j of the first half is a generator, row j of the second half anticommutes with it and commutes with
/// all others. Pairs that are not *active* are logical operators: neither is in the group. Rows are kept as
/// columns of bits, one for each letter and qubit, so that a gate touches few words.
class Tableau {
  public:
    /// All qubits in |0>, or with `open` in any state at all.
    Tableau(std::uint32_t qubits, bool open);

    std::uint32_t qubits() const { return qubits_; }
    void apply(const Clifford& gate, std::span<const std::uint32_t> on);

    /// Applies the Pauli where the function is true.
    void flip(const Pauli& pauli, const Function& where);

    /// Measures a Pauli; unless it is fixed, its sign is `outcome` from now on.
    Finding measure(const Pauli& pauli, const Function& outcome);

    /// The sign with which a Pauli is in the group, if it is.
    std::optional<Function> sign(const Pauli& pauli) const;

    /// The rows of the group's generators.
    std::vector<std::uint32_t> generators() const;
    Pauli generator(std::uint32_t row) const;
    Function generator_sign(std::uint32_t row) const;
    void set_sign(std::uint32_t row, const Function& sign);

  private:
    using Word = std::uint64_t;
    using Column = std::vector<Word>;

    Word* x(std::size_t qubit) { return &bits_[2 * qubit * width_]; }
    Word* z(std::size_t qubit) { return &bits_[(2 * qubit + 1) * width_]; }
    const Word* x(std::size_t qubit) const { return &bits_[2 * qubit * width_]; }
    const Word* z(std::size_t qubit) const { return &bits_[(2 * qubit + 1) * width_]; }

    void check(const Pauli& pauli) const;
    Column anticommuting(const Pauli& pauli) const;
    std::optional<std::size_t> first_of_group(const Column& rows) const;
    std::optional<std::size_t> first_open(const Column& rows) const;
    void multiply(const Column& rows, std::size_t pivot);
    void replace(std::size_t pivot, const Pauli& pauli, const Function& sign);
    bool phase(const Column& factors, const Pauli& product) const;
    void add(const Function& function, const Word* rows);
    Column& sign_column(std::uint32_t atom);

    std::uint32_t qubits_;
    std::size_t half_, width_;   // words of half a column, and of a column
    std::vector<Word> bits_;     // x and z of qubit 0, x and z of qubit 1, …
    std::vector<Column> signs_;  // for each atom: the rows of the first half whose sign contains it
    Column active_;
};

}  // namespace qismc::stabiliser
