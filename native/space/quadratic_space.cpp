#include "field/quadratic_field.h"
#include "space/space_of.h"

namespace qismc {

std::shared_ptr<Space> make_quadratic_space(const Settings& settings) {
    return std::make_shared<SpaceOf<QuadraticField>>(settings);
}

}  // namespace qismc
