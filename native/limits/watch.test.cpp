#include "limits/watch.h"

#include <thread>

#include "testing/check.h"

namespace {

using namespace qismc;
using testing::check;
using testing::check_throws;
using testing::Test;

const Test memory{"memory counts living vectors and claims", [] {
                      Watch watch;
                      watch.set_limits({std::nullopt, 100});
                      watch.claim(100);
                      watch.ledger()->live = 60;
                      watch.claim(40);
                      check_throws<LimitReached>([&] { watch.claim(41); });
                      check(watch.ledger()->peak == 101);
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
