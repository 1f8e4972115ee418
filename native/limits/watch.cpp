#include "limits/watch.h"

#include <algorithm>

#include "limits/resident.h"

namespace qismc {
namespace {

constexpr std::size_t kMegabyte = std::size_t{1} << 20;

LimitReached too_large(std::size_t bytes) {
    return {"memory", "about " + std::to_string((bytes + kMegabyte - 1) / kMegabyte) + " MB are needed"};
}

}  // namespace

void Watch::set_limits(const Limits& limits) {
    limits_ = limits;
    most_ = limits.operations.value_or(std::numeric_limits<std::size_t>::max());
    start_ = Clock::now();
    const std::size_t resident = limits_.memory_bytes ? recent_resident_bytes().value_or(0) : 0;
    others_ = resident - std::min<std::size_t>(resident, ledger_->live);
}

void Watch::follow(const Watch& leader, const std::atomic<bool>* stop) {
    limits_ = leader.limits_;
    most_ = leader.most_;
    others_ = leader.others_;
    start_ = leader.start_;
    total_ = begin_ = leader.total_;
    ledger_ = leader.ledger_;
    stop_ = stop;
}

void Watch::claim(std::size_t bytes) {
    const std::size_t total = ledger_->live + bytes;
    for (std::size_t peak = ledger_->peak;
         peak < total && !ledger_->peak.compare_exchange_weak(peak, total);) {
    }
    if (!limits_.memory_bytes || others_ + total <= *limits_.memory_bytes) return;
    throw too_large(others_ + total);
}

void Watch::look_at_memory() {
    const std::size_t resident = resident_bytes().value_or(0);
    if (resident > *limits_.memory_bytes) throw too_large(resident);
}

void Watch::throw_exhausted() const {
    if (total_ <= limits_.operations.value_or(std::numeric_limits<std::size_t>::max())) throw TooDear();
    throw LimitReached("operations", "more than " + std::to_string(*limits_.operations) + " operations");
}

Watch::Allowance::Allowance(Watch& watch, double operations) : watch_(watch), before_(watch.most_) {
    const double end = static_cast<double>(watch.total_) + operations;
    if (end < static_cast<double>(before_)) watch.most_ = static_cast<std::size_t>(end);
}

void Watch::poll() {
    pending_ = 0;
    const auto now = Clock::now();
    if (interrupt_ && now - last_interrupt_ > std::chrono::milliseconds(50)) {
        last_interrupt_ = now;
        interrupt_();
    }
    if (stop_ != nullptr && *stop_) throw Stopped();
    if (limits_.memory_bytes && now - last_look_ > std::chrono::milliseconds(5)) {
        last_look_ = now;
        look_at_memory();
    }
    if (!limits_.seconds) return;
    const double elapsed = std::chrono::duration<double>(now - start_).count();
    if (elapsed <= *limits_.seconds) return;
    throw LimitReached("time", "the time limit of " + std::to_string(*limits_.seconds) + " s is over");
}

}  // namespace qismc
