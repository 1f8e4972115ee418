#include "space/space.h"

#include "field/complex_field.h"
#include "field/long_quadratic_field.h"
#include "field/quadratic_field.h"
#include "field/twin_field.h"
#include "space/serialise.h"

namespace qismc {

std::shared_ptr<Space> make_space(const Settings& settings) {
    if (settings.levels < 1) {
        throw std::invalid_argument("a space needs at least one level, got " +
                                    std::to_string(settings.levels));
    }
    if (settings.dense_limit < 0 || settings.dense_limit > kMaxDenseLevels) {
        throw std::invalid_argument("dense_limit must be in 0.." + std::to_string(kMaxDenseLevels) +
                                    ", got " + std::to_string(settings.dense_limit));
    }
    if (settings.kind == "fp") return make_prime_space(settings);
    if (settings.kind == "fp2") return make_quadratic_space(settings);
    if (settings.kind == "twin") return make_twin_space(settings);
    if (settings.kind == "long") return make_long_space(settings);
    if (settings.kind == "long2") return make_long_quadratic_space(settings);
    if (settings.kind == "complex") return make_complex_space(settings);
    throw std::invalid_argument("unknown kind '" + settings.kind +
                                "': use fp, fp2, twin, long, long2 or complex");
}

VectorPtr load_vector(const std::vector<Word>& words) {
    WordReader in(words);
    if (in.next() != kFormat) throw std::invalid_argument("not a stored vector, or one of another version");
    switch (static_cast<Kind>(in.next())) {
        case Kind::fp:
            return deserialise<PrimeField>(in);
        case Kind::fp2:
            return deserialise<QuadraticField>(in);
        case Kind::twin:
            return deserialise<TwinField>(in);
        case Kind::longp:
            return deserialise<LongField>(in);
        case Kind::longp2:
            return deserialise<LongQuadraticField>(in);
        case Kind::complex:
            return deserialise<ComplexField>(in);
    }
    throw std::invalid_argument("a stored vector is of an unknown kind");
}

}  // namespace qismc
