#include "field/long_field.h"
#include "space/space_of.h"

namespace qismc {

std::shared_ptr<Space> make_long_space(const Settings& settings) {
    return std::make_shared<SpaceOf<LongField>>(settings);
}

}  // namespace qismc
