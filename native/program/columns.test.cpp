#include "program/columns.h"

#include <array>
#include <stdexcept>

#include "testing/check.h"

namespace {

using namespace qismc;
using program::Columns;
using program::Factor;
using program::Index;
using testing::check;
using testing::check_throws;
using testing::Test;
using Indices = std::vector<Index>;

/// cx on 4, 2; a product of a single and a controlled matrix on 0, 1; cx on 1, 0; a measurement stands at 2.
Columns some_gates() {
    Columns found;
    const std::array cx{Factor{0, {1}, {{0, 1}}}};
    const std::array two{Factor{1, {0}, {}}, Factor{0, {0}, {{1, 0}}}};
    found.add(0, found.operators.number_of(2, cx), Indices{4, 2});
    found.add(1, found.operators.number_of(2, two), Indices{0, 1});
    found.crossings.push_back(2);
    found.add(3, found.operators.number_of(2, cx), Indices{1, 0});
    return found;
}

const Test numbered{"operators with equal factors have one number", [] {
                        const Columns gates = some_gates();
                        check(gates.numbers == Indices{0, 1, 0});
                        check(gates.firsts == Indices{0, 1});
                        check(gates.operators.size() == 2 && gates.operators.bases() == 2);
                    }};

const Test laid_out{"factors are laid out where the gates are", [] {
                        const program::Layout found = some_gates().layout(1, 4);
                        check(found.targets.items == Indices{0, 0, 0});
                        check(found.controls.items == Indices{1, 1});
                        check(found.controls.offsets == Indices{0, 0, 1, 2});
                        check(found.values == std::vector<std::uint8_t>{0, 1});
                        check(found.bases == Indices{1, 0} && found.chosen == Indices{0, 1, 1});
                        check(found.counts == std::vector<std::pair<Index, Index>>{{1, 1}, {0, 1}});
                    }};

const Test few_of_many{"a few gates among many operators", [] {
                           Columns gates;
                           for (Index k = 0; k < 100; ++k) {
                               const std::array turn{Factor{k, {0}, {}}};
                               gates.add(k, gates.operators.number_of(1, turn), Indices{k});
                           }
                           const program::Layout found = gates.layout(70, 72);
                           check(found.bases == Indices{70, 71} && found.chosen == Indices{0, 1});
                           check(found.targets.items == Indices{70, 71});
                       }};

const Test together{"qubits that a factor joins are together", [] {
                        const program::Rows found = some_gates().interactions();
                        check(found.items == Indices{2, 4, 0, 1, 0, 1});
                        check(found.offsets == Indices{0, 2, 4, 6});
                    }};

const Test refused{"operators that do not fit are refused", [] {
                       Columns gates;
                       const std::array outside{Factor{0, {2}, {}}};
                       check_throws<std::invalid_argument>([&] { gates.operators.number_of(2, outside); });
                       const std::array pair{Factor{0, {0, 1}, {}}};
                       const Index number = gates.operators.number_of(2, pair);
                       check_throws<std::invalid_argument>([&] { gates.add(0, number, Indices{0}); });
                   }};

}  // namespace
