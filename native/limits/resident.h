#pragma once

#include <cstddef>
#include <optional>

namespace qismc {

/// Bytes of this process that are in physical memory now; nothing where the system does not tell.
std::optional<std::size_t> resident_bytes();

/// The same, as it was a few milliseconds ago at most: small checks would spend a tenth of their time on
/// asking.
std::optional<std::size_t> recent_resident_bytes();

}  // namespace qismc
