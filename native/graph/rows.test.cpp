#include "graph/rows.h"

#include <array>

#include "testing/check.h"

namespace {

using namespace qismc;
using graph::Index;
using testing::check;
using testing::check_throws;
using testing::Test;

const Test chains{"chains lead through themselves and on to others", [] {
                      const std::array<Index, 4> starts{0, 3, 4, 5};
                      const std::array<Index, 5> left{0, 0, 0, 1, 2}, entered{2, 1, 2, 0, 2};
                      const graph::OwnRows found = graph::of_chains(starts, left, entered);
                      check(found.offsets == std::vector<Index>{0, 1, 2, 4, 5, 6});
                      check(found.neighbours == std::vector<Index>{1, 2, 3, 4, 0, 4});
                      const graph::OwnRows back = graph::reversed({found.offsets, found.neighbours});
                      check(back.offsets == std::vector<Index>{0, 1, 2, 3, 4, 6});
                      check(back.neighbours == std::vector<Index>{3, 0, 1, 2, 2, 4});
                  }};

const Test refused{"edges that lead nowhere are noticed", [] {
                       const std::array<Index, 2> starts{0, 1}, offsets{0, 1};
                       const std::array<Index, 1> left{0}, entered{1}, astray{1}, home{0};
                       check_throws<std::out_of_range>([&] { graph::of_chains(starts, left, entered); });
                       check(!graph::are_total({offsets, astray}));
                       check(graph::are_total({offsets, home}));
                   }};

}  // namespace
