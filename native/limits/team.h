#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

namespace qismc {

/// Calls work(member, index) for every index below `count`, each once, on at most `members` threads: member 0
/// is the caller, and calls `wait` about every 50 ms when it has nothing left to do. Which member gets which
/// index is left to chance. If a call throws, `stop` is set, so that the others give up, too; the failure
/// with the smallest index is thrown again when all have come to rest.
void share_out(int members, std::size_t count, std::atomic<bool>& stop, const std::function<void()>& wait,
               const std::function<void(int, std::size_t)>& work);

}  // namespace qismc
