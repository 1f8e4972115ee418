#include "stabiliser/strings.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <string>

namespace qismc::stabiliser {
namespace {

using Word = std::uint64_t;
constexpr std::size_t kWordBits = 64;

/// Strings as words of bits: i^power X^x Z^z, all x of a row before all z.
class Rows {
  public:
    Rows(std::size_t count, std::size_t qubits)
        : half_((qubits + kWordBits - 1) / kWordBits), bits_(count * width()), powers_(count) {}

    std::size_t width() const { return 2 * half_; }
    const Word* row(std::size_t k) const { return &bits_[k * width()]; }

    void set(std::size_t k, const Signed& string) {
        unsigned power = string.minus ? 2 : 0;
        for (const auto& [qubit, letter] : string.letters) {
            const Word bit = Word{1} << (qubit % kWordBits);
            Word* words = &bits_[k * width()] + qubit / kWordBits;
            if (letter & kX) words[0] |= bit;
            if (letter & kZ) words[half_] |= bit;
            power += letter == kY;
        }
        powers_[k] = power;
    }

    /// Row k becomes its product with row j; moving X in front of Z costs a sign where both speak.
    void multiply(std::size_t k, std::size_t j) {
        Word* ours = &bits_[k * width()];
        const Word* theirs = row(j);
        int crossings = 0;
        for (std::size_t word = 0; word < half_; ++word) {
            crossings += std::popcount(ours[half_ + word] & theirs[word]);
        }
        for (std::size_t word = 0; word < width(); ++word) ours[word] ^= theirs[word];
        powers_[k] += powers_[j] + 2 * static_cast<unsigned>(crossings);
    }

    Signed get(std::size_t k) const {
        Signed found;
        unsigned power = powers_[k];
        for (std::size_t word = 0; word < half_; ++word) {
            const Word x = row(k)[word], z = row(k)[half_ + word];
            for (Word left = x | z; left; left &= left - 1) {
                const auto place = static_cast<unsigned>(std::countr_zero(left));
                const auto letter = static_cast<std::uint8_t>((x >> place & 1) | (z >> place & 1) << 1);
                found.letters.emplace_back(static_cast<std::uint32_t>(word * kWordBits + place), letter);
                power += letter == kY ? 3 : 0;
            }
        }
        if (power % 2) throw std::logic_error("a product of commuting Paulis is not Hermitian");
        found.minus = power % 4 == 2;
        return found;
    }

  private:
    std::size_t half_;
    std::vector<Word> bits_;
    std::vector<unsigned> powers_;  // modulo 4
};

std::size_t qubits_of(const Strings& strings) {
    std::size_t most = 0;
    for (const Signed& string : strings) {
        for (const auto& [qubit, letter] : string.letters) most = std::max<std::size_t>(most, qubit + 1);
    }
    return most;
}

constexpr std::size_t kNone = ~std::size_t{0};

/// The last bit that two rows have not in common.
std::size_t difference(const Word* left, const Word* right, std::size_t width) {
    for (std::size_t word = width; word-- > 0;) {
        const Word found = left[word] ^ right[word];
        if (found) return word * kWordBits + static_cast<std::size_t>(std::bit_width(found)) - 1;
    }
    return kNone;
}

/// The first place from k on whose letter is not I; most letters of most generators are.
std::size_t behind_identities(std::string_view letters, std::size_t k) {
    constexpr Word identities = 0x4949494949494949;  // "IIIIIIII"
    for (Word word; k + sizeof word <= letters.size(); k += sizeof word) {
        std::memcpy(&word, letters.data() + k, sizeof word);
        if (word != identities) break;
    }
    while (k < letters.size() && letters[k] == 'I') ++k;
    return k;
}

}  // namespace

Strings of_product(std::string_view letters, std::span<const std::uint32_t> qubits) {
    if (letters.size() != qubits.size()) throw std::invalid_argument("one letter for each qubit is needed");
    Strings found(letters.size());
    for (std::size_t k = 0; k < letters.size(); ++k) {
        const std::size_t name = std::string_view("0+r1-l").find(letters[k]);
        if (name == std::string_view::npos) {
            throw std::invalid_argument(std::string(1, letters[k]) + " is no one-qubit state");
        }
        constexpr std::uint8_t stabilisers[] = {kZ, kX, kY};
        found[k] = {{{qubits[k], stabilisers[name % 3]}}, name >= 3};
    }
    return found;
}

Signed of_letters(bool minus, std::string_view letters, std::span<const std::uint32_t> qubits) {
    if (letters.size() != qubits.size()) throw std::invalid_argument("one letter for each qubit is needed");
    Signed found{{}, minus};
    for (std::size_t k = behind_identities(letters, 0); k < letters.size();
         k = behind_identities(letters, k + 1)) {
        const std::size_t letter = std::string_view("IXZY").find(letters[k]);  // no I
        if (letter == std::string_view::npos) {
            throw std::invalid_argument(std::string(1, letters[k]) + " is no Pauli");
        }
        found.letters.emplace_back(qubits[k], static_cast<std::uint8_t>(letter));
    }
    return found;
}

bool is_consistent(const Strings& strings) {
    Rows rows(strings.size(), qubits_of(strings));
    const std::vector<Word> identity(rows.width());
    std::vector<std::size_t> pivots(rows.width() * kWordBits, kNone);
    for (std::size_t k = 0; k < strings.size(); ++k) {
        rows.set(k, strings[k]);
        std::size_t place = difference(rows.row(k), identity.data(), rows.width());
        while (place != kNone && pivots[place] != kNone) {
            rows.multiply(k, pivots[place]);
            place = difference(rows.row(k), identity.data(), rows.width());
        }
        if (place != kNone) {
            pivots[place] = k;
        } else if (rows.get(k).minus) {
            return false;
        }
    }
    return true;
}

/// By elimination: a product of elements of both groups that is the identity shows the same element in
/// either.
Common common(const Strings& left, const Strings& right) {
    const std::size_t count = left.size() + right.size();
    const std::size_t qubits = std::max(qubits_of(left), qubits_of(right));
    Rows ours(count, qubits), theirs(count, qubits);
    for (std::size_t k = 0; k < left.size(); ++k) ours.set(k, left[k]);
    for (std::size_t k = 0; k < right.size(); ++k) theirs.set(left.size() + k, right[k]);
    std::vector<std::size_t> pivots(ours.width() * kWordBits, kNone);
    Common found;
    for (std::size_t k = 0; k < count; ++k) {
        std::size_t place = difference(ours.row(k), theirs.row(k), ours.width());
        while (place != kNone && pivots[place] != kNone) {
            ours.multiply(k, pivots[place]);
            theirs.multiply(k, pivots[place]);
            place = difference(ours.row(k), theirs.row(k), ours.width());
        }
        if (place != kNone) {
            pivots[place] = k;
            continue;
        }
        Signed one = ours.get(k), other = theirs.get(k);
        if (one.letters.empty()) continue;
        found.ours.push_back(std::move(one));
        found.theirs.push_back(std::move(other));
    }
    return found;
}

namespace {

/// Are they single letters on ascending qubits, as those of a product of one-qubit states are?
bool are_letters(const Strings& strings) {
    for (std::size_t k = 0; k < strings.size(); ++k) {
        if (strings[k].letters.size() != 1) return false;
        if (k > 0 && strings[k - 1].letters[0].first >= strings[k].letters[0].first) return false;
    }
    return true;
}

/// The same for products of one-qubit states, letter by letter.
Compared compared_letters(const Strings& left, const Strings& right) {
    Compared found;
    const Signed* first = nullptr;  // the first one whose signs differ: times it, others agree
    for (std::size_t i = 0, j = 0; i < left.size() && j < right.size();) {
        const auto &ours = left[i].letters[0], &theirs = right[j].letters[0];
        if (ours == theirs) {
            if (left[i].minus == right[j].minus) {
                found.agreeing.push_back(left[i]);
            } else if (first == nullptr) {
                first = &left[i];
            } else {
                found.agreeing.push_back({{first->letters[0], ours}, first->minus != left[i].minus});
            }
        }
        const bool next_ours = ours.first <= theirs.first, next_theirs = theirs.first <= ours.first;
        i += next_ours;
        j += next_theirs;
    }
    found.contradict = first != nullptr;
    return found;
}

}  // namespace

Compared compared(const Strings& left, const Strings& right) {
    if (are_letters(left) && are_letters(right)) return compared_letters(left, right);
    Common both = common(left, right);
    Rows products(both.ours.size(), qubits_of(both.ours));
    Compared found;
    std::size_t first = 0;  // the first one whose signs differ: times it, others agree
    for (std::size_t k = 0; k < both.ours.size(); ++k) {
        if (both.ours[k].minus == both.theirs[k].minus) {
            found.agreeing.push_back(std::move(both.ours[k]));
            continue;
        }
        products.set(k, both.ours[k]);
        if (!found.contradict) {
            first = k;
            found.contradict = true;
        } else {
            products.multiply(k, first);
            found.agreeing.push_back(products.get(k));
        }
    }
    return found;
}

}  // namespace qismc::stabiliser
