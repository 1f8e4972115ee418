#include "graph/spread.h"

#include <array>
#include <cstdint>

#include "testing/check.h"

namespace {

using namespace qismc;
using testing::check;
using testing::check_throws;
using testing::Test;

// 0 -> 1, 0 -> 2, 1 -> 3, 2 -> 3, 3 -> 3
constexpr std::array<std::int32_t, 5> kOffsets{0, 2, 3, 4, 5};
constexpr std::array<std::int32_t, 5> kNeighbours{1, 2, 3, 3, 3};

std::array<bool, 4> from_first(const std::array<bool, 4>& expand) {
    std::array<bool, 4> inside{true, false, false, false};
    std::array<std::int32_t, 4> missing{1, 1, 1, 2};
    graph::spread({kOffsets, kNeighbours}, inside, missing, expand);
    return inside;
}

const Test all_edges{"a location joins with the last edge that it waits for", [] {
                         const auto inside = from_first({true, true, true, true});
                         check(inside[1] && inside[2] && inside[3]);
                     }};

const Test not_through{"nothing spreads from where it must not", [] {
                           const auto inside = from_first({true, true, false, true});
                           check(inside[1] && inside[2] && !inside[3]);
                       }};

const Test astray{"edges out of the graph are refused", [] {
                      std::array<bool, 1> inside{true};
                      std::array<std::int32_t, 1> missing{1};
                      const std::array<std::int32_t, 2> offsets{0, 1};
                      const std::array<std::int32_t, 1> neighbours{7};
                      check_throws<std::out_of_range>(
                          [&] { graph::spread({offsets, neighbours}, inside, missing, inside); });
                  }};

}  // namespace
