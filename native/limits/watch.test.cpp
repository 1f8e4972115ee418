#include "limits/watch.h"

#include <thread>

#include "limits/resident.h"
#include "testing/check.h"

namespace {

using namespace qismc;
using testing::check;
using testing::check_throws;
using testing::Test;

const Test memory{"memory counts living vectors and claims", [] {
                      constexpr std::size_t room = std::size_t{1} << 30;
                      Watch watch;
                      watch.set_limits({std::nullopt, resident_bytes().value_or(0) + room});
                      watch.claim(room / 2);
                      watch.ledger()->live = room / 2;
                      watch.claim(room / 4);
                      check_throws<LimitReached>([&] { watch.claim(room); });
                      check(watch.ledger()->peak == room / 2 + room);
                  }};

const Test process{"memory is that of the whole process", [] {
                       if (!resident_bytes()) return;  // this system does not tell
                       Watch watch;
                       watch.set_limits({std::nullopt, *resident_bytes() / 2});
                       check_throws<LimitReached>([&] { watch.claim(0); });
                       std::this_thread::sleep_for(std::chrono::milliseconds(10));
                       check_throws<LimitReached>([&] { watch.poll(); });
                   }};

const Test allowance{"an allowance ends with its attempt, a limit stays one", [] {
                         Watch watch;
                         watch.set_limits({std::nullopt, std::nullopt, 1000});
                         {
                             const Watch::Allowance allowance(watch, 100);
                             watch.work(100);
                             check_throws<TooDear>([&] { watch.work(1); });
                         }
                         watch.work(500);
                         const Watch::Allowance allowance(watch, 1e30);
                         check_throws<LimitReached>([&] { watch.work(400); });
                     }};

const Test hook{"the interrupt hook is called now and then, and may throw", [] {
                    Watch watch;
                    int calls = 0;
                    watch.set_interrupt([&] {
                        ++calls;
                        throw std::runtime_error("stop");
                    });
                    std::this_thread::sleep_for(std::chrono::milliseconds(60));
                    watch.work(10);
                    check(calls == 0);
                    check_throws<std::runtime_error>([&] { watch.work(100'000); });
                    check(calls == 1 && watch.total() == 100'010);
                }};

}  // namespace
