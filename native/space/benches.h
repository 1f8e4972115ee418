#pragma once

#include <mutex>

#include "limits/team.h"
#include "linear/rank.h"
#include "space/space.h"

namespace qismc {

/// What one thread computes with, so that it shares nothing that changes: a watch, a cache, counters.
template <class F>
struct Bench {
    explicit Bench(const F& field) : context{field, watch} {}

    Watch watch;
    Context<F> context;
    Statistics statistics;
};

/// Computations on benches, which are kept for the next ones: their caches are warm.
template <class F>
class Benches {
  public:
    /// Calls work(bench, index) for every index below `count` on so many threads. Afterwards, whatever
    /// happened, `owner` takes the space back and its watch and statistics know what was done.
    template <class Work>
    void share(const F& field, Watch& watch, Statistics& statistics, const Owner& owner, int members,
               std::size_t count, const Work& work) {
        std::atomic<bool> stop = false;
        std::vector<std::unique_ptr<Bench<F>>> taken = take(field, members);
        for (auto& bench : taken) bench->watch.follow(watch, &stop);
        taken[0]->watch.set_interrupt(owner.look);
        const auto close = [&] {
            owner.resume();
            for (auto& bench : taken) {
                watch.join(bench->watch);
                statistics.take(bench->statistics);
                bench->watch.set_interrupt(nullptr);
            }
            put_back(taken);
        };
        try {
            if (members == 1) {
                for (std::size_t index = 0; index < count; ++index) work(*taken[0], index);
            } else {
                share_out(members, count, stop, owner.look,
                          [&](int member, std::size_t index) { work(*taken[member], index); });
            }
        } catch (...) {
            close();
            throw;
        }
        close();
        watch.work(0);  // the limit of operations is for all threads together
    }

  private:
    std::vector<std::unique_ptr<Bench<F>>> take(const F& field, int members) {
        std::vector<std::unique_ptr<Bench<F>>> taken;
        const std::lock_guard guard(mutex_);
        for (int member = 0; member < members; ++member) {
            if (free_.empty()) {
                taken.push_back(std::make_unique<Bench<F>>(field));
            } else {
                taken.push_back(std::move(free_.back()));
                free_.pop_back();
            }
        }
        return taken;
    }

    void put_back(std::vector<std::unique_ptr<Bench<F>>>& taken) {
        const std::lock_guard guard(mutex_);
        for (auto& bench : taken) free_.push_back(std::move(bench));
    }

    std::mutex mutex_;
    std::vector<std::unique_ptr<Bench<F>>> free_;
};

}  // namespace qismc
