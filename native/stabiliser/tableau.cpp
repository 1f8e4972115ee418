#include "stabiliser/tableau.h"

#include <algorithm>
#include <array>
#include <bit>
#include <set>
#include <stdexcept>
#include <string>

namespace qismc::stabiliser {
namespace {

constexpr std::size_t kWordBits = 64;

template <class Word>
bool bit(const Word* column, std::size_t row) {
    return column[row / kWordBits] >> (row % kWordBits) & 1;
}

template <class Word>
void put(Word* column, std::size_t row, bool value) {
    const Word mask = Word{1} << (row % kWordBits);
    if (value) {
        column[row / kWordBits] |= mask;
    } else {
        column[row / kWordBits] &= ~mask;
    }
}

/// Bit k of the result is the parity of the bits of the word below k and of `carry`.
std::uint64_t parity_below(std::uint64_t word, bool carry) {
    for (unsigned shift = 1; shift < kWordBits; shift *= 2) word ^= word << shift;
    const std::uint64_t below = word << 1;
    return carry ? ~below : below;
}

/// Numbers modulo 4, one for each bit.
struct Quarters {
    std::uint64_t ones = 0, twos = 0;
    void increase(std::uint64_t where) {
        twos ^= ones & where;
        ones ^= where;
    }
    void decrease(std::uint64_t where) {
        twos ^= ~ones & where;
        ones ^= where;
    }
    /// Counts the power of i of the product of the Pauli (x, z) of each bit and one letter.
    void multiply(std::uint64_t x, std::uint64_t z, std::uint8_t letter) {
        if (letter == kX) {
            increase(~x & z);
            decrease(x & z);
        } else if (letter == kZ) {
            increase(x & z);
            decrease(x & ~z);
        } else if (letter == kY) {
            increase(x & ~z);
            decrease(~x & z);
        }
    }
};

}  // namespace

Tableau::Tableau(std::uint32_t qubits, bool open)
    : qubits_(qubits),
      half_((qubits + kWordBits - 1) / kWordBits),
      width_(2 * half_),
      bits_(2 * std::size_t{qubits} * width_),
      signs_(1, Column(half_)),
      active_(half_) {
    for (std::size_t qubit = 0; qubit < qubits; ++qubit) {
        put(z(qubit), qubit, true);
        put(x(qubit), half_ * kWordBits + qubit, true);
        put(active_.data(), qubit, !open);
    }
}

void Tableau::check(const Pauli& pauli) const {
    for (const auto& [qubit, letter] : pauli) {
        if (qubit >= qubits_ || letter == 0 || letter > kY) {
            throw std::invalid_argument("letter " + std::to_string(letter) + " on qubit " +
                                        std::to_string(qubit) + " is no factor of a Pauli on " +
                                        std::to_string(qubits_) + " qubits");
        }
    }
}

void Tableau::apply(const Clifford& gate, std::span<const std::uint32_t> on) {
    if (on.size() != gate.width()) {
        throw std::invalid_argument("a gate on " + std::to_string(gate.width()) + " qubits cannot act on " +
                                    std::to_string(on.size()));
    }
    std::array<Word*, 2 * kMostQubits> columns{};
    for (std::size_t k = 0; k < on.size(); ++k) {
        if (on[k] >= qubits_) throw std::out_of_range("no qubit " + std::to_string(on[k]));
        if (std::find(on.begin(), on.begin() + static_cast<std::ptrdiff_t>(k), on[k]) !=
            on.begin() + static_cast<std::ptrdiff_t>(k)) {
            throw std::invalid_argument("qubit " + std::to_string(on[k]) + " is given twice");
        }
        columns[2 * k] = x(on[k]);
        columns[2 * k + 1] = z(on[k]);
    }
    for (const std::uint32_t monomial : gate.monomials()) turn_signs(monomial, columns.data());
    for (const Clifford::Move& move : gate.moves()) {
        Word *to = columns[move.to], *from = columns[move.from];
        if (move.exchange) {
            std::swap_ranges(to, to + width_, from);
        } else {
            for (std::size_t word = 0; word < width_; ++word) to[word] ^= from[word];
        }
    }
}

/// Turns the signs of those rows of the group that have all bits of the monomial.
void Tableau::turn_signs(std::uint32_t monomial, Word* const* columns) {
    Column& signs = signs_[0];
    std::array<const Word*, 2 * kMostQubits> factors{};
    std::size_t count = 0;
    for (std::size_t j = 0; j < 2 * kMostQubits; ++j) {
        if (monomial >> j & 1) factors[count++] = columns[j];
    }
    for (std::size_t word = 0; word < half_; ++word) {
        Word product = ~Word{0};
        for (std::size_t k = 0; k < count; ++k) product &= factors[k][word];
        signs[word] ^= product;
    }
}

Tableau::Column Tableau::anticommuting(const Pauli& pauli) const {
    check(pauli);
    Column rows(width_);
    for (const auto& [qubit, letter] : pauli) {
        const Word *xs = x(qubit), *zs = z(qubit);
        for (std::size_t word = 0; word < width_; ++word) {
            rows[word] ^= (letter & kX ? zs[word] : 0) ^ (letter & kZ ? xs[word] : 0);
        }
    }
    return rows;
}

void Tableau::flip(const Pauli& pauli, const Function& where) { add(where, anticommuting(pauli).data()); }

Tableau::Column& Tableau::sign_column(std::uint32_t atom) {
    if (atom >= signs_.size()) signs_.resize(atom + 1);
    Column& column = signs_[atom];
    if (column.empty()) column.resize(half_);
    return column;
}

void Tableau::add(const Function& function, const Word* rows) {
    for (const std::uint32_t atom : function) {
        Column& column = sign_column(atom);
        for (std::size_t word = 0; word < half_; ++word) column[word] ^= rows[word];
    }
}

std::optional<std::size_t> Tableau::first_of_group(const Column& rows) const {
    for (std::size_t word = 0; word < half_; ++word) {
        const Word found = rows[word] & active_[word];
        if (found) return word * kWordBits + std::countr_zero(found);
    }
    return std::nullopt;
}

std::optional<std::size_t> Tableau::first_open(const Column& rows) const {
    for (std::size_t word = 0; word < width_; ++word) {
        const Word found = rows[word] & ~active_[word % half_];
        if (found) return word * kWordBits + std::countr_zero(found);
    }
    return std::nullopt;
}

Finding Tableau::measure(const Pauli& pauli, const Function& outcome) {
    Column rows = anticommuting(pauli);
    const std::optional<std::size_t> random = first_of_group(rows);
    const std::optional<std::size_t> pivot = random ? random : first_open(rows);
    if (!pivot) return Finding::fixed;
    const std::size_t second = half_ * kWordBits;
    put(rows.data(), *pivot, false);
    put(rows.data(), *pivot < second ? *pivot + second : *pivot - second, false);
    multiply(rows, *pivot);
    replace(*pivot, pauli, outcome);
    return random ? Finding::coin : Finding::open;
}

/// Multiplies rows by the pivot, with which all of them commute.
void Tableau::multiply(const Column& rows, std::size_t pivot) {
    std::vector<Quarters> powers(half_);
    for (std::size_t qubit = 0; qubit < qubits_; ++qubit) {
        Word *xs = x(qubit), *zs = z(qubit);
        const bool has_x = bit(xs, pivot), has_z = bit(zs, pivot);
        if (!has_x && !has_z) continue;
        const auto letter = static_cast<std::uint8_t>((has_x ? kX : 0) | (has_z ? kZ : 0));
        for (std::size_t word = 0; word < half_; ++word) powers[word].multiply(xs[word], zs[word], letter);
        for (std::size_t word = 0; word < width_; ++word) {
            if (has_x) xs[word] ^= rows[word];
            if (has_z) zs[word] ^= rows[word];
        }
    }
    if (pivot >= half_ * kWordBits) return;  // then no row of the group is changed
    for (Column& column : signs_) {
        if (column.empty() || !bit(column.data(), pivot)) continue;
        for (std::size_t word = 0; word < half_; ++word) column[word] ^= rows[word];
    }
    for (std::size_t word = 0; word < half_; ++word) signs_[0][word] ^= powers[word].twos & rows[word];
}

/// The pivot becomes the partner of a new generator.
void Tableau::replace(std::size_t pivot, const Pauli& pauli, const Function& sign) {
    const std::size_t second = half_ * kWordBits;
    const std::size_t row = pivot % second;
    for (std::size_t qubit = 0; qubit < qubits_; ++qubit) {
        for (Word* column : {x(qubit), z(qubit)}) {
            put(column, second + row, bit(column, pivot));
            put(column, row, false);
        }
    }
    for (const auto& [qubit, letter] : pauli) {
        put(x(qubit), row, letter & kX);
        put(z(qubit), row, letter & kZ);
    }
    put(active_.data(), row, true);
    set_sign(static_cast<std::uint32_t>(row), sign);
}

std::optional<Function> Tableau::sign(const Pauli& pauli) const { return difference({pauli}, Column(half_)); }

/// What the sign of a string in the group adds to its own; `bare` are rows without X and Y, whose products
/// have no signs of their own.
std::optional<Function> Tableau::difference(const Signed& string, const Column& bare) const {
    const Column rows = anticommuting(string.letters);
    if (first_of_group(rows) || first_open(rows)) return std::nullopt;
    const Column factors(rows.begin() + static_cast<std::ptrdiff_t>(half_), rows.end());
    bool clothed = false;
    for (std::size_t word = 0; word < half_; ++word) clothed |= (factors[word] & ~bare[word]) != 0;
    const bool minus = string.minus != (clothed && phase(factors, string.letters));
    Function found;
    for (std::size_t atom = 0; atom < signs_.size(); ++atom) {
        bool odd = atom == 0 && minus;
        for (std::size_t word = 0; word < signs_[atom].size(); ++word) {
            odd ^= std::popcount(signs_[atom][word] & factors[word]) & 1;
        }
        if (odd) found.push_back(static_cast<std::uint32_t>(atom));
    }
    return found;
}

std::vector<std::optional<Function>> Tableau::differences(const Strings& strings) const {
    const Column bare = without_x();
    std::vector<std::optional<Function>> found;
    std::set<std::optional<Function>> known{Function{}};
    for (const Signed& string : strings) {
        std::optional<Function> function = difference(string, bare);
        if (known.insert(function).second) found.push_back(std::move(function));
    }
    return found;
}

Tableau::Column Tableau::without_x() const {
    Column found(half_, ~Word{0});
    for (std::size_t qubit = 0; qubit < qubits_; ++qubit) {
        for (std::size_t word = 0; word < half_; ++word) found[word] &= ~x(qubit)[word];
    }
    return found;
}

/// Is the product of rows of the group, signs left aside, minus the Pauli?
///
/// A row is i^y X^x Z^z, y the number of its Ys; moving all X in front of all Z costs a sign for each pair of
/// a Z and a later X on one qubit.
bool Tableau::phase(const Column& factors, const Pauli& product) const {
    std::vector<std::size_t> words;
    std::size_t count = 0;
    for (std::size_t word = 0; word < half_; ++word) {
        if (factors[word]) words.push_back(word);
        count += std::popcount(factors[word]);
    }
    if (count == 1) return false;
    std::size_t ys = 0;
    bool minus = false;
    for (std::size_t qubit = 0; qubit < qubits_; ++qubit) {
        const Word *xs = x(qubit), *zs = z(qubit);
        Word any = 0;
        for (const std::size_t word : words) any |= xs[word] & factors[word];
        if (!any) continue;  // no X, no Y
        bool carry = false;
        for (const std::size_t word : words) {
            const Word ours = xs[word] & factors[word], theirs = zs[word] & factors[word];
            ys += std::popcount(ours & theirs);
            minus ^= std::popcount(parity_below(theirs, carry) & ours) & 1;
            carry ^= std::popcount(theirs) & 1;
        }
    }
    std::size_t wanted = 0;
    for (const auto& [qubit, letter] : product) wanted += letter == kY;
    const std::size_t quarters = (ys + 3 * wanted) % 4;
    if (quarters % 2) throw std::logic_error("a product of commuting Paulis is not Hermitian");
    return minus != (quarters == 2);
}

std::vector<std::uint32_t> Tableau::generators() const {
    std::vector<std::uint32_t> found;
    for (std::uint32_t row = 0; row < qubits_; ++row) {
        if (bit(active_.data(), row)) found.push_back(row);
    }
    return found;
}

Pauli Tableau::generator(std::uint32_t row) const {
    Pauli found;
    for (std::uint32_t qubit = 0; qubit < qubits_; ++qubit) {
        const auto letter = (bit(x(qubit), row) ? kX : 0) | (bit(z(qubit), row) ? kZ : 0);
        if (letter) found.emplace_back(qubit, static_cast<std::uint8_t>(letter));
    }
    return found;
}

Strings Tableau::group() const {
    Strings found;
    for (const std::uint32_t row : generators()) found.push_back({generator(row)});
    return found;
}

Strings Tableau::beyond(const Tableau& other) const {
    if (other.qubits_ != qubits_) throw std::invalid_argument("tableaus of different sizes");
    const Column rows = changed(other);
    const Column bare = other.without_x();
    Strings found;
    for (const std::uint32_t row : generators()) {
        if (!bit(rows.data(), row)) continue;
        Signed string{generator(row), !generator_sign(row).empty()};
        const std::optional<Function> difference = other.difference(string, bare);
        if (!difference || !difference->empty()) found.push_back(std::move(string));
    }
    return found;
}

/// The rows of the group that are written otherwise there.
Tableau::Column Tableau::changed(const Tableau& other) const {
    Column rows(half_);
    for (std::size_t word = 0; word < half_; ++word) {
        rows[word] = (active_[word] ^ other.active_[word]) | (signs_[0][word] ^ other.signs_[0][word]);
        for (std::size_t column = 0; column < 2 * std::size_t{qubits_}; ++column) {
            rows[word] |= bits_[column * width_ + word] ^ other.bits_[column * width_ + word];
        }
    }
    return rows;
}

Function Tableau::generator_sign(std::uint32_t row) const {
    Function found;
    for (std::size_t atom = 0; atom < signs_.size(); ++atom) {
        if (!signs_[atom].empty() && bit(signs_[atom].data(), row)) {
            found.push_back(static_cast<std::uint32_t>(atom));
        }
    }
    return found;
}

void Tableau::set_sign(std::uint32_t row, const Function& sign) {
    for (Column& column : signs_) {
        if (!column.empty()) put(column.data(), row, false);
    }
    for (const std::uint32_t atom : sign) put(sign_column(atom).data(), row, true);
}

}  // namespace qismc::stabiliser
