#include "field/twin_field.h"
#include "space/space_of.h"

namespace qismc {

std::shared_ptr<Space> make_twin_space(const Settings& settings) {
    return std::make_shared<SpaceOf<TwinField>>(settings);
}

}  // namespace qismc
