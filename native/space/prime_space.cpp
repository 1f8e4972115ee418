#include "field/prime_field.h"
#include "space/space_of.h"

namespace qismc {

std::shared_ptr<Space> make_prime_space(const Settings& settings) {
    return std::make_shared<SpaceOf<PrimeField>>(settings);
}

}  // namespace qismc
