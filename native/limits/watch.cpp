#include "limits/watch.h"

#include <algorithm>

namespace qismc {

void Watch::set_limits(const Limits& limits) {
    limits_ = limits;
    start_ = Clock::now();
}

void Watch::claim(std::size_t bytes) {
    const std::size_t total = ledger_->live + bytes;
    ledger_->peak = std::max(ledger_->peak, total);
    if (!limits_.memory_bytes || total <= *limits_.memory_bytes) return;
    throw LimitReached("memory", "the vectors need " + std::to_string(total) + " bytes; the limit is " +
                                     std::to_string(*limits_.memory_bytes));
}

void Watch::poll() {
    pending_ = 0;
    const auto now = Clock::now();
    if (interrupt_ && now - last_interrupt_ > std::chrono::milliseconds(50)) {
        last_interrupt_ = now;
        interrupt_();
    }
    if (limits_.operations && total_ > *limits_.operations) {
        throw LimitReached("operations", "more than " + std::to_string(*limits_.operations) + " operations");
    }
    if (!limits_.seconds) return;
    const double elapsed = std::chrono::duration<double>(now - start_).count();
    if (elapsed <= *limits_.seconds) return;
    throw LimitReached("time", "the time limit of " + std::to_string(*limits_.seconds) + " s is over");
}

}  // namespace qismc
