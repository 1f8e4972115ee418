#pragma once

#include <cstddef>
#include <optional>

namespace qismc {

/// Bytes of this process that are in physical memory now; nothing where the system does not tell.
std::optional<std::size_t> resident_bytes();

}  // namespace qismc
