#pragma once

#include <bit>
#include <cstdint>
#include <optional>

#include "block/gate.h"
#include "terms/lookout.h"

namespace qismc {

/// Words have one bit per level.
inline constexpr int kMostTermLevels = 64;

/// A vector with few non-zero amplitudes: their words, each once and in no order, level 0 being the most
/// significant bit.
template <class F>
struct Terms {
    using S = typename F::Scalar;
    int levels = 0;
    std::vector<Word> words;
    std::vector<S> amplitudes;
    Lookout lookout{};
    bool was_array = false;  // then nothing is dropped as noise, and many terms become an array again

    std::size_t size() const { return words.size(); }
    std::size_t bytes() const { return words.size() * (sizeof(Word) + sizeof(S)); }
    Word bit(int level) const { return Word{1} << (levels - 1 - level); }

    void add(Word word, S amplitude) {
        words.push_back(word);
        amplitudes.push_back(amplitude);
    }
};

namespace detail {

/// Where a gate acts: the bits of its controls and what they must be, and the bits of its targets for every
/// row of its matrix.
struct Reach {
    Word mask = 0, match = 0, targets = 0;
    std::vector<Word> places;

    template <class F>
    Reach(const Terms<F>& v, const Gate<F>& gate) : places(gate.op->m.rows, 0) {
        for (const Control& c : gate.controls) {
            mask |= v.bit(c.level);
            match |= c.value ? v.bit(c.level) : 0;
        }
        for (std::size_t j = 0; j < gate.targets.size(); ++j) {
            const Word bit = v.bit(gate.targets[j]);
            targets |= bit;
            for (std::size_t x = 0; x < places.size(); ++x) places[x] |= (x >> j & 1) ? bit : 0;
            bits.push_back(std::countr_zero(bit));
        }
    }

    bool meets(Word word) const { return (word & mask) == match; }

    /// The column of the matrix that a word stands at.
    std::size_t column(Word word) const {
        std::size_t x = 0;
        for (std::size_t j = 0; j < bits.size(); ++j) x |= (word >> bits[j] & 1) << j;
        return x;
    }

    std::vector<int> bits;
};

/// Where a matrix sends a basis state: to one, times a number, or to nothing.
template <class S>
struct Jump {
    int row = -1;
    S factor{};
};

/// The jumps of a matrix whose rows and columns have at most one entry each.
template <class F, class S = typename F::Scalar>
std::optional<std::vector<Jump<S>>> jumps_of(const F& f, const Matrix<S>& m) {
    std::vector<Jump<S>> jumps(m.cols);
    for (int y = 0; y < m.rows; ++y) {
        bool taken = false;
        for (int x = 0; x < m.cols; ++x) {
            if (f.is_zero(m(y, x))) continue;
            if (taken || jumps[x].row >= 0) return std::nullopt;
            taken = true;
            jumps[x] = {y, m(y, x)};
        }
    }
    return jumps;
}

/// Every word goes to one other, or none.
template <class F, class S = typename F::Scalar>
void move_terms(const F& f, Terms<F>& v, const Reach& reach, const std::vector<Jump<S>>& jumps) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < v.size(); ++i) {
        Word word = v.words[i];
        S amplitude = v.amplitudes[i];
        if (reach.meets(word)) {
            const Jump<S>& jump = jumps[reach.column(word)];
            if (jump.row < 0) continue;
            word = (word & ~reach.targets) | reach.places[jump.row];
            if (jump.factor != f.one()) amplitude = f.mul(jump.factor, amplitude);
        }
        v.words[kept] = word;
        v.amplitudes[kept++] = amplitude;
    }
    v.words.resize(kept);
    v.amplitudes.resize(kept);
}

/// A controlled flip of one level.
template <class F>
void flip_terms(Terms<F>& v, const Reach& reach) {
    for (Word& word : v.words) word ^= reach.meets(word) ? reach.targets : 0;
}

/// Words that differ in the targets of a gate alone, found by what they have in common.
class Families {
  public:
    explicit Families(std::size_t most) : slots_(std::bit_ceil(2 * most + 2), -1) {
        shift_ = kMostTermLevels - std::countr_zero(slots_.size());
    }

    /// The number of the family with this common part.
    std::size_t number(Word common) {
        for (std::size_t at = (common * kSpread) >> shift_;; at = (at + 1) & (slots_.size() - 1)) {
            if (slots_[at] < 0) {
                slots_[at] = static_cast<std::int32_t>(common_.size());
                common_.push_back(common);
            }
            if (common_[slots_[at]] == common) return slots_[at];
        }
    }

    const std::vector<Word>& common() const { return common_; }

  private:
    static constexpr Word kSpread = 0x9E3779B97F4A7C15u;

    std::vector<std::int32_t> slots_;
    std::vector<Word> common_;
    int shift_;
};

/// Is what a sum leaves of the numbers that it was made of nothing but rounding?
template <class F, class S = typename F::Scalar>
bool is_noise(const F& f, S sum, const S* parts, std::size_t count) {
    if constexpr (F::exact) {
        return f.is_zero(sum);
    } else {
        double size = 0;
        for (std::size_t i = 0; i < count; ++i) size += std::norm(parts[i]);
        return std::norm(sum) <= kTruncation * kTruncation * size;
    }
}

/// The matrix acts on families of words.
template <class F, class S = typename F::Scalar>
void mix_terms(Context<F>& context, Terms<F>& v, const Reach& reach, const Matrix<S>& m) {
    const F& f = context.field;
    const std::size_t side = m.cols;
    Terms<F> image{v.levels, {}, {}, v.lookout, v.was_array};
    Families families(v.size());
    std::vector<S> parts;
    for (std::size_t i = 0; i < v.size(); ++i) {
        if (!reach.meets(v.words[i])) {
            image.add(v.words[i], v.amplitudes[i]);
            continue;
        }
        const std::size_t family = families.number(v.words[i] & ~reach.targets);
        parts.resize(families.common().size() * side, f.zero());
        parts[family * side + reach.column(v.words[i])] = v.amplitudes[i];
    }
    context.watch.work(parts.size() * side);
    for (std::size_t k = 0; k < families.common().size(); ++k) {
        const S* part = parts.data() + k * side;
        for (int y = 0; y < m.rows; ++y) {
            auto sum = f.start();
            for (std::size_t x = 0; x < side; ++x)
                sum = f.accumulate(sum, m(y, static_cast<int>(x)), part[x]);
            const S amplitude = f.finish(sum);
            if (v.was_array ? !f.is_zero(amplitude) : !is_noise(f, amplitude, part, side))
                image.add(families.common()[k] | reach.places[y], amplitude);
        }
    }
    v = std::move(image);
}

}  // namespace detail

/// Applies one gate in place.
template <class F>
void apply_terms(Context<F>& context, Terms<F>& v, const Gate<F>& gate) {
    const F& f = context.field;
    const detail::Reach reach(v, gate);
    context.watch.work(v.size());
    const auto jumps = detail::jumps_of(f, gate.op->m);
    if (!jumps) return detail::mix_terms(context, v, reach, gate.op->m);
    const bool flip = jumps->size() == 2 && (*jumps)[0].row == 1 && (*jumps)[1].row == 0 &&
                      (*jumps)[0].factor == f.one() && (*jumps)[1].factor == f.one();
    if (flip) return detail::flip_terms(v, reach);
    detail::move_terms(f, v, reach, *jumps);
}

namespace detail {

/// The products of weights for all words of `count` levels from level `first` on.
template <class F, class Weights>
std::vector<typename F::Scalar> weight_table(const F& f, int first, int count, Weights weights) {
    std::vector<typename F::Scalar> table{f.one()};
    for (int k = first; k < first + count; ++k) {
        const auto [w0, w1] = weights(k);
        std::vector<typename F::Scalar> longer;
        longer.reserve(2 * table.size());
        for (const auto& weight : table) {
            longer.push_back(f.mul(weight, w0));
            longer.push_back(f.mul(weight, w1));
        }
        table = std::move(longer);
    }
    return table;
}

}  // namespace detail

/// The value at a product functional, weights(k) giving the pair of level k: several levels at a time, by a
/// table.
template <class F, class Weights>
typename F::Scalar evaluate(const F& f, const Terms<F>& v, Weights weights) {
    constexpr int kMostAtOnce = 8;
    const int at_once = std::clamp(static_cast<int>(std::bit_width(v.size())) - 1, 1, kMostAtOnce);
    std::vector<typename F::Scalar> values = v.amplitudes;
    for (int first = 0; first < v.levels; first += at_once) {
        const int count = std::min(at_once, v.levels - first);
        const auto table = detail::weight_table(f, first, count, weights);
        const int shift = v.levels - first - count;
        for (std::size_t i = 0; i < v.size(); ++i)
            values[i] = f.mul(values[i], table[(v.words[i] >> shift) & (table.size() - 1)]);
    }
    auto sum = f.zero();
    for (const auto& value : values) sum = f.add(sum, value);
    return sum;
}

}  // namespace qismc
