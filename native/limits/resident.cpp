#include "limits/resident.h"

#include <chrono>
#include <mutex>

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

std::optional<std::size_t> recent_resident_bytes() {
    using Clock = std::chrono::steady_clock;
    constexpr auto kRecent = std::chrono::milliseconds(5);
    static std::mutex mutex;
    static std::optional<Clock::time_point> asked;
    static std::optional<std::size_t> answer;
    const std::lock_guard lock(mutex);
    const auto now = Clock::now();
    if (!asked || now - *asked > kRecent) {
        answer = resident_bytes();
        asked = now;
    }
    return answer;
}

}  // namespace qismc
