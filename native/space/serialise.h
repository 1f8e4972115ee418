#pragma once

#include <stdexcept>

#include "field/long_quadratic_field.h"
#include "field/twin_field.h"
#include "space/vector.h"

namespace qismc {

/// Which field a stored vector is over.
enum class Kind : Word { fp = 1, fp2 = 2, complex = 3, twin = 4, longp = 5, longp2 = 6 };

template <class F>
constexpr Kind kind_of() {
    if (!F::exact) return Kind::complex;
    if (F::words == 1) return Kind::fp;
    if (F::words == 4) return Kind::longp2;
    if (F::conjugates) return Kind::fp2;
    return std::is_same_v<F, TwinField> ? Kind::twin : Kind::longp;
}

/// Whether two words tell which field it is.
template <class F>
inline constexpr bool kTwoWords = std::is_constructible_v<F, Word, Word>;

inline std::vector<Word> prime_words(const TwinField& f) { return {f.first_prime(), f.second_prime()}; }
template <class F>
std::vector<Word> prime_words(const F& f) {
    if constexpr (requires { f.high(); }) {
        return {f.low(), f.high()};
    } else {
        return {f.modulus()};
    }
}

/// Layout: version, kind, prime (or two words of it, or two primes), levels, centre (or all ones for a
/// dense array), bonds, then scalars.
inline constexpr Word kFormat = 0x51534d4331;  // "QSMC1"
inline constexpr Word kDenseMark = ~Word{0};

template <class F>
void append(const F& f, const std::vector<typename F::Scalar>& scalars, std::vector<Word>& out) {
    const std::size_t begin = out.size();
    out.resize(begin + scalars.size() * F::words);
    for (std::size_t i = 0; i < scalars.size(); ++i) f.store(scalars[i], out.data() + begin + i * F::words);
}

template <class F>
std::vector<Word> VectorOf<F>::amplitudes() const {
    if (levels() > kMaxDenseLevels) {
        throw std::invalid_argument("a vector over " + std::to_string(levels()) +
                                    " levels has too many amplitudes");
    }
    std::vector<Word> out;
    append(field_, expanded().amplitudes, out);
    return out;
}

template <class F>
std::vector<Word> VectorOf<F>::serialise() const {
    const Word levels_word = static_cast<Word>(levels());
    std::vector<Word> out{kFormat, static_cast<Word>(kind_of<F>())};
    const std::vector<Word> primes = prime_words(field_);
    out.insert(out.end(), primes.begin(), primes.end());
    out.insert(out.end(), {levels_word, kDenseMark});
    if (array()) {
        append(field_, array()->amplitudes, out);
        return out;
    }
    out.back() = static_cast<Word>(train()->centre);
    for (const int bond : bonds()) out.push_back(static_cast<Word>(bond));
    for (int k = 0; k < levels(); ++k) append(field_, train()->site(k).stacked.data, out);
    return out;
}

/// Reads words in order and refuses to read past the end.
class WordReader {
  public:
    explicit WordReader(const std::vector<Word>& words) : words_(words) {}

    Word next() { return *take(1); }
    const Word* take(std::size_t count) {
        if (count > words_.size() - at_) throw std::invalid_argument("a stored vector is truncated");
        at_ += count;
        return words_.data() + at_ - count;
    }
    bool finished() const { return at_ == words_.size(); }

  private:
    const std::vector<Word>& words_;
    std::size_t at_ = 0;
};

template <class F>
std::vector<typename F::Scalar> read_scalars(const F& f, WordReader& in, std::size_t count) {
    const Word* raw = in.take(count * F::words);
    std::vector<typename F::Scalar> out(count);
    for (std::size_t i = 0; i < count; ++i) out[i] = f.load(raw + i * F::words);
    return out;
}

/// Throws unless the numbers describe a train: bonds from 1 to 1, none absurd, and the centre one of its
/// sites.
inline void check_shape(const Word* bonds, int levels, Word centre) {
    bool good = centre < static_cast<Word>(levels) && bonds[0] == 1 && bonds[levels] == 1;
    for (int k = 0; k < levels; ++k) good = good && bonds[k] >= 1 && bonds[k] < (Word{1} << 24);
    if (!good) throw std::invalid_argument("a stored vector has a bad shape");
}

template <class F>
Train<F> read_train(const F& field, WordReader& in, int levels, Word centre) {
    using S = typename F::Scalar;
    const Word* bonds = in.take(static_cast<std::size_t>(levels) + 1);
    check_shape(bonds, levels, centre);
    std::vector<Site<S>> sites;
    for (int k = 0; k < levels; ++k) {
        Site<S>& site = sites.emplace_back(static_cast<int>(bonds[k]), 0);
        site.stacked.cols = static_cast<int>(bonds[k + 1]);
        site.stacked.data = read_scalars(field, in, 2 * bonds[k] * bonds[k + 1]);
    }
    Train<F> train(std::move(sites));
    train.centre = static_cast<int>(centre);
    return train;
}

/// The rest of a stored vector, after its kind.
template <class F>
VectorPtr deserialise(WordReader& in) {
    const Word prime = in.next();
    const F field = field_of<F>(prime, kTwoWords<F> ? in.next() : 0);
    const Word levels = in.next(), centre = in.next();
    const bool dense = centre == kDenseMark;
    if (levels < 1 || levels > (dense ? Word{kMaxDenseLevels} : Word{1} << 24)) {
        throw std::invalid_argument("a stored vector has a bad number of levels");
    }
    const int count = static_cast<int>(levels);
    auto state =
        dense ? typename VectorOf<F>::State(Dense<F>{count, read_scalars(field, in, std::size_t{1} << count)})
              : typename VectorOf<F>::State(read_train(field, in, count, centre));
    if (!in.finished()) throw std::invalid_argument("a stored vector has trailing words");
    return std::make_shared<VectorOf<F>>(field, std::move(state), std::make_shared<Ledger>());
}

}  // namespace qismc
