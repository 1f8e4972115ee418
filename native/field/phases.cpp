#include "field/phases.h"

#include <algorithm>
#include <stdexcept>

#include "field/long_quadratic_field.h"
#include "field/quadratic_field.h"
#include "field/twin_field.h"

namespace qismc {
namespace {

void require(bool fits, const char* what) {
    if (!fits) throw std::invalid_argument(std::string("phases: ") + what);
}

/// Do lists that end there, one behind the other, make up a table of so many numbers?
bool are_ends(std::span<const std::int32_t> ends, std::size_t total) {
    std::int32_t before = 0;
    for (const std::int32_t end : ends) {
        if (end < before) return false;
        before = end;
    }
    return static_cast<std::size_t>(before) == total;
}

bool are_places(std::span<const std::int32_t> places, std::size_t count, bool or_conjugates = false) {
    for (std::int32_t k : places) {
        if (or_conjugates && k < 0) k = ~k;
        if (k < 0 || static_cast<std::size_t>(k) >= count) return false;
    }
    return true;
}

void check(const PhaseShape& shape, int words) {
    require(shape.phases >= 0 && shape.coefficients.size() % words == 0, "coefficients have words left over");
    require(are_ends(shape.product_ends, shape.products.size()), "product_ends");
    require(are_places(shape.products, shape.phases, true), "a product has a phase that the gate has not");
    require(shape.terms.size() % 2 == 0 && are_ends(shape.sum_ends, shape.terms.size() / 2), "sum_ends");
    for (std::size_t j = 0; j < shape.terms.size(); j += 2) {
        require(are_places(shape.terms.subspan(j, 1), shape.coefficients.size() / words) &&
                    are_places(shape.terms.subspan(j + 1, 1), shape.product_ends.size()),
                "a term has a coefficient or a product that there is not");
    }
    require(are_places(shape.entries, shape.sum_ends.size()), "an entry is no sum");
}

/// Words of an exponent: one for each prime, or two where the prime has two.
template <class F>
constexpr int kExponent = std::is_constructible_v<F, Word, Word> ? 2 : 1;

template <class F>
class PhasesOf final : public Phases {
  public:
    using S = typename F::Scalar;

    PhasesOf(Word prime, Word second, const PhasePowers& powers) : f_(field_of<F>(prime, second)) {
        const auto generators = loaded(powers.generators);
        require(powers.exponents.size() == powers.which.size() * kExponent<F>, "exponents");
        require(are_ends(powers.ends, powers.which.size()), "ends");
        require(are_places(powers.which, generators.size()), "a power is of no generator");
        std::int32_t j = 0;
        for (const std::int32_t end : powers.ends) {
            S phase = f_.one();
            for (; j < end; ++j) {
                const Word* exponent = powers.exponents.data() + j * kExponent<F>;
                phase = f_.mul(phase, raised(generators[powers.which[j]], exponent));
            }
            phases_.push_back(phase);
        }
        conjugate_all();
    }

    int words() const override { return F::words; }
    int size() const override { return static_cast<int>(phases_.size()); }

    std::vector<Word> matrices(const PhaseShape& shape, std::span<const std::int32_t> places) const override {
        check(shape, F::words);
        require(are_places(places, phases_.size(), true), "a gate has a phase that there is not");
        const std::size_t each = std::max(shape.phases, 1), gates = places.size() / each;
        require(places.size() == gates * each, "places");
        const auto coefficients = loaded(shape.coefficients);
        std::vector<Word> found(gates * shape.entries.size() * F::words);
        Word* out = found.data();
        for (std::size_t gate = 0; gate < gates; ++gate) {
            const auto sums = summed(shape, coefficients, multiplied(shape, places.data() + gate * each));
            for (const std::int32_t entry : shape.entries) {
                f_.store(sums[entry], out);
                out += F::words;
            }
        }
        return found;
    }

  private:
    /// Inverses are those of prefixes of one long product, so that only one of them is computed as such.
    void conjugate_all() {
        conjugates_.resize(phases_.size());
        if constexpr (F::conjugates) {
            std::transform(phases_.begin(), phases_.end(), conjugates_.begin(),
                           [this](S phase) { return f_.conj(phase); });
        } else {
            S product = f_.one();
            for (std::size_t k = 0; k < phases_.size(); ++k) {
                conjugates_[k] = product;
                product = f_.mul(product, phases_[k]);
            }
            S inverse = f_.inv(product);
            for (std::size_t k = phases_.size(); k-- > 0;) {
                conjugates_[k] = f_.mul(inverse, conjugates_[k]);
                inverse = f_.mul(inverse, phases_[k]);
            }
        }
    }

    std::vector<S> loaded(std::span<const Word> words) const {
        require(words.size() % F::words == 0, "a number has words missing");
        std::vector<S> found;
        for (std::size_t k = 0; k < words.size(); k += F::words) found.push_back(f_.load(words.data() + k));
        return found;
    }

    S raised(S generator, const Word* exponent) const {
        if constexpr (std::is_same_v<F, TwinField>) {
            return f_.pow(generator, exponent[0], exponent[1]);
        } else if constexpr (kExponent<F> == 2) {
            return f_.pow(generator, Wide{exponent[1]} << 64 | exponent[0]);
        } else {
            return f_.pow(generator, *exponent);
        }
    }

    /// The products of one gate's phases.
    std::vector<S> multiplied(const PhaseShape& shape, const std::int32_t* places) const {
        std::vector<S> found;
        std::int32_t j = 0;
        for (const std::int32_t end : shape.product_ends) {
            S product = f_.one();
            for (; j < end; ++j) {
                const std::int32_t k = shape.products[j];
                const std::int32_t place = k < 0 ? ~places[~k] : places[k];
                product = f_.mul(product, place < 0 ? conjugates_[~place] : phases_[place]);
            }
            found.push_back(product);
        }
        return found;
    }

    std::vector<S> summed(const PhaseShape& shape, const std::vector<S>& coefficients,
                          const std::vector<S>& products) const {
        std::vector<S> found;
        std::int32_t j = 0;
        for (const std::int32_t end : shape.sum_ends) {
            S sum = f_.zero();
            for (; j < end; ++j) {
                sum = f_.add(sum, f_.mul(coefficients[shape.terms[2 * j]], products[shape.terms[2 * j + 1]]));
            }
            found.push_back(sum);
        }
        return found;
    }

    F f_;
    std::vector<S> phases_, conjugates_;
};

}  // namespace

std::unique_ptr<Phases> make_phases(const std::string& kind, Word prime, Word second,
                                    const PhasePowers& powers) {
    if (kind == "fp") return std::make_unique<PhasesOf<PrimeField>>(prime, second, powers);
    if (kind == "fp2") return std::make_unique<PhasesOf<QuadraticField>>(prime, second, powers);
    if (kind == "twin") return std::make_unique<PhasesOf<TwinField>>(prime, second, powers);
    if (kind == "long") return std::make_unique<PhasesOf<LongField>>(prime, second, powers);
    if (kind == "long2") return std::make_unique<PhasesOf<LongQuadraticField>>(prime, second, powers);
    throw std::invalid_argument("phases are over the kinds fp, fp2, twin, long and long2, not " + kind);
}

}  // namespace qismc
