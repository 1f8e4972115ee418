#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "field/montgomery.h"

namespace qismc {

/// Phases as products of powers: phase k is the product of generators[which[j]] ^ exponents[j] over the j
/// before ends[k], and not before those of the phases in front of it. A number takes the words of its kind;
/// an exponent takes one word for each prime, or two if the prime does.
struct PhasePowers {
    std::span<const Word> generators;
    std::span<const std::int32_t> ends, which;
    std::span<const Word> exponents;
};

/// The matrix of a gate over its phases, as tables of places in other tables.
///
/// `products` lists phases of the gate, ~k for the conjugate of k; product j ends at product_ends[j]. `terms`
/// lists pairs (coefficient, product); sum j ends at sum_ends[j], counted in pairs. Entries are sums.
struct PhaseShape {
    int phases;
    std::span<const Word> coefficients;
    std::span<const std::int32_t> product_ends, products, sum_ends, terms, entries;
};

/// e^(i angle) for many angles over F_p (kind fp), F_p(i) (fp2), F_p x F_q (twin) or the first two for a long
/// prime (long, long2), and what gates make of them. Generators have an inverse, over F_p(i) their conjugate.
class Phases {
  public:
    virtual ~Phases() = default;
    virtual int words() const = 0;
    virtual int size() const = 0;

    /// The matrices of gates of one shape, one after the other. `places` says for each gate which phase of
    /// this table each of its phases is, ~k for the conjugate of phase k; all of them must be there.
    virtual std::vector<Word> matrices(const PhaseShape& shape,
                                       std::span<const std::int32_t> places) const = 0;
};

/// Throws std::invalid_argument where the tables do not fit together.
std::unique_ptr<Phases> make_phases(const std::string& kind, Word prime, Word second,
                                    const PhasePowers& powers);

}  // namespace qismc
