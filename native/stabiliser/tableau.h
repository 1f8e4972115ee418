#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "stabiliser/clifford.h"
#include "stabiliser/strings.h"

namespace qismc::stabiliser {

/// A sum modulo 2 of atoms, each listed once; atom 0 is the constant 1.
using Function = std::vector<std::uint32_t>;

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

    /// Functions, each once and none of them 0, of which one is true iff some string is not in the group with
    /// its own sign; nothing for a string that is not in the group at all.
    std::vector<std::optional<Function>> differences(const Strings& strings) const;

    /// The rows of the group's generators.
    std::vector<std::uint32_t> generators() const;
    Pauli generator(std::uint32_t row) const;

    /// All generators, signs left aside.
    Strings group() const;

    /// The generators that are not in the group of another tableau of the same size; signs are constants.
    Strings beyond(const Tableau& other) const;
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
    void turn_signs(std::uint32_t monomial, Word* const* columns);
    Column anticommuting(const Pauli& pauli) const;
    std::optional<std::size_t> first_of_group(const Column& rows) const;
    std::optional<std::size_t> first_open(const Column& rows) const;
    void multiply(const Column& rows, std::size_t pivot);
    void replace(std::size_t pivot, const Pauli& pauli, const Function& sign);
    std::optional<Function> difference(const Signed& string, const Column& bare) const;
    Column without_x() const;
    Column changed(const Tableau& other) const;
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
