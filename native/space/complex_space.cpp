#include "field/complex_field.h"
#include "space/space_of.h"

namespace qismc {

std::shared_ptr<Space> make_complex_space(const Settings& settings) {
    return std::make_shared<SpaceOf<ComplexField>>(settings);
}

}  // namespace qismc
