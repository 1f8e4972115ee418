#pragma once

#include <nanobind/nanobind.h>

namespace qismc::bindings {

void bind_field(nanobind::module_& module);

}  // namespace qismc::bindings
