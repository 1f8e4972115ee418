#include "field/long_quadratic_field.h"
#include "space/space_of.h"

namespace qismc {

std::shared_ptr<Space> make_long_quadratic_space(const Settings& settings) {
    return std::make_shared<SpaceOf<LongQuadraticField>>(settings);
}

}  // namespace qismc
