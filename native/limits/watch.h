#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

namespace qismc {

/// What a computation may use; nothing set means no limit.
struct Limits {
    std::optional<double> seconds;
    std::optional<std::size_t> memory_bytes;               // of the whole process, Python included
    std::optional<std::size_t> operations = std::nullopt;  // since the watch was made
};

/// A limit was hit; kind is "time", "memory" or "operations".
class LimitReached : public std::runtime_error {
  public:
    LimitReached(std::string kind, const std::string& message)
        : std::runtime_error(message), kind_(std::move(kind)) {}
    const std::string& kind() const { return kind_; }

  private:
    std::string kind_;
};

/// Bytes held by living vectors; shared by a space and its vectors, which may outlive it.
struct Ledger {
    std::size_t live = 0, peak = 0;
};

/// Polled inside native loops: raises LimitReached, and calls the interrupt hook about every 50 ms.
class Watch {
  public:
    void set_limits(const Limits& limits);
    const Limits& limits() const { return limits_; }
    void set_interrupt(std::function<void()> hook) { interrupt_ = std::move(hook); }

    /// Announces about this many scalar operations.
    void work(std::size_t operations) {
        total_ += operations;
        pending_ += operations;
        if (pending_ >= kInterval) poll();
    }

    /// All operations announced so far.
    std::size_t total() const { return total_; }

    /// Announces that this many bytes are needed beside those of the living vectors.
    void claim(std::size_t bytes);

    /// Looks at the clock and now and then at the size of the process.
    void poll();
    const std::shared_ptr<Ledger>& ledger() const { return ledger_; }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::size_t kInterval = 50'000;

    void look_at_memory();

    Limits limits_;
    std::size_t others_ = 0;  // bytes of the process that are no vectors, when the limits were set
    Clock::time_point start_ = Clock::now(), last_interrupt_ = Clock::now(), last_look_ = Clock::now();
    std::function<void()> interrupt_;
    std::size_t pending_ = 0, total_ = 0;
    std::shared_ptr<Ledger> ledger_ = std::make_shared<Ledger>();
};

}  // namespace qismc
