#pragma once

#include <array>
#include <optional>

#include "space/vector.h"

namespace qismc {

/// What vectors have in common: levels on which all of them are in the same state, as far as that is plain to
/// see. Such levels say nothing about which of the vectors depend on each other.
template <class F>
class Frame {
  public:
    using S = typename F::Scalar;

    explicit Frame(int levels) : letters_(levels, kUnseen), factors_(levels), free_(0) {}

    /// The basis state of every level that is in one, as far as that is plain to see; -1 for the others.
    using Letters = std::vector<std::int8_t>;

    static Letters letters_of(const F& f, const VectorOf<F>& v) {
        Letters letters;
        const bool listed = v.array() || v.terms();
        const Words words = listed ? words_of(f, v) : Words{};
        for (int k = 0; k < v.levels(); ++k) {
            const auto factor = listed ? factor_of(f, words, Word{1} << (v.levels() - 1 - k))
                                       : factor_of(f, v.train()->site(k));
            const bool basis = factor && (f.is_zero((*factor)[0]) || f.is_zero((*factor)[1]));
            letters.push_back(basis ? static_cast<std::int8_t>(f.is_zero((*factor)[0])) : std::int8_t{-1});
        }
        return letters;
    }

    /// How many levels are not common.
    int free() const { return free_; }

    /// Takes a vector, which is not zero, into account; whether levels became free.
    bool admit(const F& f, const VectorOf<F>& v) {
        const int before = free_;
        const bool listed = v.array() || v.terms();
        const Words words = listed ? words_of(f, v) : Words{};
        for (int k = 0; k < static_cast<int>(letters_.size()); ++k) {
            if (letters_[k] == kFree) continue;
            const auto factor = listed ? factor_of(f, words, bit(k)) : factor_of(f, v.train()->site(k));
            if (!factor) {
                release(k);
            } else if (letters_[k] == kUnseen) {
                factors_[k] = *factor;
                letters_[k] = f.is_zero((*factor)[0]) ? 1 : 0;
            } else if (f.mul(factors_[k][0], (*factor)[1]) != f.mul(factors_[k][1], (*factor)[0])) {
                release(k);
            }
        }
        return free_ > before;
    }

    /// The amplitudes of the words that have a letter of the common state on every level that is not free.
    std::vector<S> list(const F& f, const VectorOf<F>& v) const {
        if (!v.array() && !v.terms()) return expand(f, *v.train(), letters_, [](std::size_t) {});
        Word mask = 0, value = 0;
        for (std::size_t k = 0; k < letters_.size(); ++k) {
            if (letters_[k] == kFree) continue;
            mask |= bit(static_cast<int>(k));
            value |= letters_[k] ? bit(static_cast<int>(k)) : 0;
        }
        if (v.terms()) return list(*v.terms(), mask, value);
        std::vector<S> listed;
        for (std::size_t i = 0; i < v.array()->amplitudes.size(); ++i) {
            if ((i & mask) == value) listed.push_back(v.array()->amplitudes[i]);
        }
        return listed;
    }

  private:
    static constexpr int kFree = -1, kUnseen = -2;

    using Factor = std::array<S, 2>;

    Word bit(int level) const { return Word{1} << (letters_.size() - 1 - level); }

    /// The same for a list of terms.
    std::vector<S> list(const Terms<F>& terms, Word mask, Word value) const {
        std::vector<S> listed(std::size_t{1} << free_);
        for (std::size_t i = 0; i < terms.size(); ++i) {
            if ((terms.words[i] & mask) != value) continue;
            std::size_t index = 0;
            for (std::size_t k = 0; k < letters_.size(); ++k) {
                if (letters_[k] == kFree)
                    index = index << 1 | ((terms.words[i] & bit(static_cast<int>(k))) != 0);
            }
            listed[index] = terms.amplitudes[i];
        }
        return listed;
    }

    /// The letters that words with a non-zero amplitude have somewhere, and those that they have everywhere.
    struct Words {
        Word some = 0, all = ~Word{0};
    };

    static Words words_of(const F& f, const VectorOf<F>& v) {
        Words words;
        const auto& amplitudes = v.terms() ? v.terms()->amplitudes : v.array()->amplitudes;
        for (std::size_t i = 0; i < amplitudes.size(); ++i) {
            if (f.is_zero(amplitudes[i])) continue;
            const Word word = v.terms() ? v.terms()->words[i] : i;
            words.some |= word;
            words.all &= word;
        }
        return words;
    }

    static std::optional<Factor> factor_of(const F& f, const Words& words, Word bit) {
        if (!(words.some & bit)) return Factor{f.one(), f.zero()};
        if (words.all & bit) return Factor{f.zero(), f.one()};
        return std::nullopt;
    }

    /// The state of a level that no bond ties to others, or that is in a basis state.
    static std::optional<Factor> factor_of(const F& f, const Site<S>& site) {
        if (site.nodes() == 1) return Factor{*site.row(0, 0), *site.row(1, 0)};
        for (int x = 0; x < 2; ++x) {
            const S* others = site.row(1 - x, 0);
            if (std::all_of(others, others + site.nodes(), [&](S entry) { return f.is_zero(entry); }))
                return x ? Factor{f.zero(), f.one()} : Factor{f.one(), f.zero()};
        }
        return std::nullopt;
    }

    void release(int k) {
        letters_[k] = kFree;
        ++free_;
    }

    std::vector<int> letters_;     // one that the common state has; for each level
    std::vector<Factor> factors_;  // the common state
    int free_;
};

}  // namespace qismc
