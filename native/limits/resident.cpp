#include "limits/resident.h"

#ifdef __linux__
#include <unistd.h>

#include <fstream>
#endif

namespace qismc {

std::optional<std::size_t> resident_bytes() {
#ifdef __linux__
    std::ifstream statm("/proc/self/statm");
    std::size_t total = 0, resident = 0;
    if (statm >> total >> resident) return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
#endif
    return std::nullopt;
}

}  // namespace qismc
