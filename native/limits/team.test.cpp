#include "limits/team.h"

#include <stdexcept>
#include <thread>
#include <vector>

#include "limits/watch.h"
#include "testing/check.h"

namespace {

using namespace qismc;
using testing::check;
using testing::check_throws;
using testing::Test;

const std::function<void()> nothing = [] {};

const Test everything{"every index is served once, by members that exist", [] {
                          for (const int members : {1, 2, 4, 9}) {
                              std::vector<int> served(5, 0), by(5, -1);
                              std::atomic<bool> stop = false;
                              share_out(members, 5, stop, nothing, [&](int member, std::size_t index) {
                                  ++served[index];
                                  by[index] = member;
                              });
                              for (int index = 0; index < 5; ++index) {
                                  check(served[index] == 1);
                                  check(by[index] >= 0 && by[index] < members);
                              }
                          }
                      }};

const Test failure{"a failure stops the others, and is thrown again", [] {
                       Watch leader;
                       std::atomic<bool> stop = false;
                       const auto work = [&](int, std::size_t index) {
                           if (index == 0) throw LimitReached("memory", "enough");
                           Watch watch;
                           watch.follow(leader, &stop);
                           while (true) watch.work(100'000);
                       };
                       check_throws<LimitReached>([&] { share_out(3, 8, stop, nothing, work); });
                       check(stop);
                   }};

const Test interruption{"whoever waits may be interrupted", [] {
                            std::atomic<bool> stop = false;
                            const auto caller = std::this_thread::get_id();
                            const auto wait = [] { throw std::domain_error("interrupted"); };
                            const auto work = [&](int, std::size_t) {
                                while (std::this_thread::get_id() != caller && !stop)
                                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                            };
                            // The caller takes at least one index, if only after the other has taken one.
                            check_throws<std::domain_error>([&] {
                                while (true) {
                                    stop = false;
                                    share_out(2, 3, stop, wait, work);
                                }
                            });
                        }};

const Test counting{"what followers announce is counted, and their limit is the leader's", [] {
                        Watch leader, follower;
                        leader.set_limits({std::nullopt, std::nullopt, 1'000});
                        leader.work(600);
                        follower.follow(leader, nullptr);
                        follower.work(300);
                        check_throws<LimitReached>([&] { follower.work(200); });
                        leader.join(follower);
                        check(leader.total() == 1'100);
                        check_throws<LimitReached>([&] { leader.work(0); });
                    }};

}  // namespace
