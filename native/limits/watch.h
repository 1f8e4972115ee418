#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <limits>
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

/// Bytes held by living vectors; shared by a space, its threads and its vectors, which may outlive it.
struct Ledger {
    std::atomic<std::size_t> live = 0, peak = 0;
};

/// Another thread has failed: what this one does is not wanted any more.
class Stopped : public std::runtime_error {
  public:
    Stopped() : std::runtime_error("another thread failed") {}
};

/// What was tried takes more operations than it was allowed: there is another way.
class TooDear : public std::runtime_error {
  public:
    TooDear() : std::runtime_error("more operations than allowed") {}
};

/// Polled inside native loops: raises LimitReached, and calls the interrupt hook about every 50 ms.
class Watch {
  public:
    void set_limits(const Limits& limits);
    const Limits& limits() const { return limits_; }
    void set_interrupt(std::function<void()> hook) { interrupt_ = std::move(hook); }
    const std::function<void()>& interrupt() const { return interrupt_; }

    /// Watches a part of what `leader` watches: the same limits and clock. Raises Stopped once `stop` is set.
    void follow(const Watch& leader, const std::atomic<bool>* stop);

    /// Counts what a follower has announced since it began to follow.
    void join(const Watch& follower) { total_ += follower.total_ - follower.begin_; }

    /// Announces about this many scalar operations.
    void work(std::size_t operations) {
        total_ += operations;
        pending_ += operations;
        if (pending_ >= kInterval) poll();
        if (total_ > most_) throw_exhausted();
    }

    /// While it lives, so many further operations are allowed; more raise TooDear.
    class Allowance {
      public:
        Allowance(Watch& watch, double operations);
        ~Allowance() { watch_.most_ = before_; }
        Allowance(const Allowance&) = delete;
        Allowance& operator=(const Allowance&) = delete;

      private:
        Watch& watch_;
        std::size_t before_;
    };

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
    [[noreturn]] void throw_exhausted() const;

    Limits limits_;
    std::size_t most_ = std::numeric_limits<std::size_t>::max();  // operations, by the limits or an allowance
    std::size_t others_ = 0;  // bytes of the process that are no vectors, when the limits were set
    Clock::time_point start_ = Clock::now(), last_interrupt_ = Clock::now(), last_look_ = Clock::now();
    std::function<void()> interrupt_;
    std::size_t pending_ = 0, total_ = 0, begin_ = 0;
    const std::atomic<bool>* stop_ = nullptr;
    std::shared_ptr<Ledger> ledger_ = std::make_shared<Ledger>();
};

}  // namespace qismc
