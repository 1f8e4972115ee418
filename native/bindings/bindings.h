#pragma once

#include <nanobind/nanobind.h>

namespace qismc::bindings {

/// Python's handlers run while native code works; a raised KeyboardInterrupt unwinds it.
void check_signals();

void bind_field(nanobind::module_& module);
void bind_algebra(nanobind::module_& module);
void bind_columns(nanobind::module_& module);
void bind_graph(nanobind::module_& module);
void bind_limits(nanobind::module_& module);
void bind_order(nanobind::module_& module);
void bind_phases(nanobind::module_& module);
void bind_vector(nanobind::module_& module);
void bind_space(nanobind::module_& module);
void bind_stabiliser(nanobind::module_& module);

}  // namespace qismc::bindings
