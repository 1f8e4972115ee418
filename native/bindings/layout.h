#pragma once

#include <nanobind/nanobind.h>

#include <utility>

#include "program/columns.h"

namespace qismc::bindings {

/// A layout with the small matrices and the operators that its numbers stand for.
struct PyLayout {
    using Objects = nanobind::typed<nanobind::tuple, nanobind::any, nanobind::ellipsis>;

    program::Layout places;
    Objects bases, counts;
};

}  // namespace qismc::bindings
