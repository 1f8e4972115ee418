#include "limits/team.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "limits/watch.h"

namespace qismc {
namespace {

/// The work, and what became of it.
class Team {
  public:
    Team(std::size_t count, std::atomic<bool>& stop, const std::function<void(int, std::size_t)>& work)
        : stop_(stop), work_(work), failures_(count) {}

    /// Takes one index after the other until none is left or somebody has failed.
    void serve(int member) {
        while (!stop_) {
            const std::size_t index = next_++;
            if (index >= failures_.size()) return;
            try {
                work_(member, index);
            } catch (const Stopped&) {
                return;
            } catch (...) {
                failures_[index] = std::current_exception();
                stop_ = true;
            }
        }
    }

    void start(int others) {
        for (int member = 1; member <= others; ++member) {
            try {
                threads_.emplace_back([this, member] {
                    serve(member);
                    const std::lock_guard guard(mutex_);
                    ++resting_;
                    rest_.notify_one();
                });
            } catch (const std::system_error&) {
                return;  // the system gives no more threads: the others do the work
            }
        }
    }

    /// Waits for the others, whatever happens meanwhile.
    void finish(const std::function<void()>& wait) {
        std::exception_ptr interrupted;
        for (std::unique_lock lock(mutex_); resting_ < threads_.size();) {
            if (rest_.wait_for(lock, kPatience) == std::cv_status::no_timeout || interrupted) continue;
            lock.unlock();
            try {
                wait();
            } catch (...) {
                interrupted = std::current_exception();
                stop_ = true;
            }
            lock.lock();
        }
        for (std::thread& thread : threads_) thread.join();
        if (interrupted) std::rethrow_exception(interrupted);
        for (const std::exception_ptr& failure : failures_) {
            if (failure) std::rethrow_exception(failure);
        }
    }

  private:
    static constexpr std::chrono::milliseconds kPatience{50};

    std::atomic<bool>& stop_;
    const std::function<void(int, std::size_t)>& work_;
    std::vector<std::exception_ptr> failures_;
    std::atomic<std::size_t> next_ = 0;
    std::vector<std::thread> threads_;
    std::mutex mutex_;
    std::condition_variable rest_;
    std::size_t resting_ = 0;
};

}  // namespace

void share_out(int members, std::size_t count, std::atomic<bool>& stop, const std::function<void()>& wait,
               const std::function<void(int, std::size_t)>& work) {
    Team team(count, stop, work);
    team.start(static_cast<int>(std::min<std::size_t>(members, count)) - 1);
    team.serve(0);
    team.finish(wait);
}

}  // namespace qismc
