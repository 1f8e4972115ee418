#include "block/block.h"

#include "testing/check.h"

namespace {

using namespace qismc;
using testing::check;
using testing::check_throws;
using testing::Test;

using F = PrimeField;
constexpr Word kPrime = 2305843009213693951;  // 2^61 - 1
constexpr int kLevels = 6;

struct Fixture {
    Watch watch;
    Context<F> context{F(kPrime), watch};

    std::shared_ptr<const Operator<F>> op(std::array<Word, 4> residues) {
        Matrix<Word> m(2, 2);
        for (int i = 0; i < 4; ++i) m.data[i] = context.field.load(&residues[i]);
        return std::make_shared<Operator<F>>(context, std::move(m));
    }
    std::shared_ptr<const Operator<F>> flip() { return op({0, 1, 1, 0}); }
    std::shared_ptr<const Operator<F>> phase() { return op({1, 0, 0, 5}); }
    std::shared_ptr<const Operator<F>> mix() { return op({1, 1, 1, kPrime - 1}); }

    std::shared_ptr<const Operator<F>> swap() {
        Matrix<Word> m(4, 4);
        m(0, 0) = m(1, 2) = m(2, 1) = m(3, 3) = context.field.one();
        return std::make_shared<Operator<F>>(context, std::move(m));
    }

    Mpo<F> star(const Step<F>& step) { return step.fan.value().mpo(context.field); }

    std::vector<Step<F>> plan(const std::vector<Gate<F>>& gates) {
        return Planner<F>(context, kLevels).plan(gates.data(), gates.data() + gates.size());
    }
};

const Test few{"short lists are lists, whether their items are inside or not", [] {
                   Few<int, 2> list;
                   std::vector<int> same;
                   for (const int step : {1, 1, -1, 1, 1, 1, -1, 1, -1, -1, -1, 1, 1, -1, -1, -1}) {
                       if (step > 0) {
                           list.push_back(static_cast<int>(same.size()) + step);
                           same.push_back(static_cast<int>(same.size()) + step);
                       } else {
                           list.pop_back();
                           same.pop_back();
                       }
                       const Few<int, 2> copy = list;
                       check(std::vector<int>(copy.begin(), copy.end()) == same && copy == list);
                       check(copy.size() == same.size() && copy.empty() == same.empty());
                       if (!same.empty()) check(copy.back() == same.back() && copy.front() == same[0]);
                   }
                   check(!(Few<int, 2>{1, 2, 3} == Few<int, 2>{1, 2}));
               }};

const Test fusing{"maps of one level are fused across gates elsewhere, identities vanish", [] {
                      Fixture f;
                      const auto steps =
                          f.plan({{{}, {0}, f.flip()}, {{{2, 1}}, {3}, f.flip()}, {{}, {0}, f.flip()}});
                      check(steps.size() == 1 && f.star(steps[0]).lo == 2 && f.star(steps[0]).hi == 3);
                  }};

const Test singular{
    "singular maps are not delayed", [] {
        Fixture f;
        const auto steps = f.plan({{{}, {0}, f.op({1, 0, 0, 0})}, {{}, {0}, f.mix()}, {{}, {0}, f.phase()}});
        check(steps.size() == 2 && !steps[0].gates[0].op->keeps_ranks && steps[1].gates[0].op->keeps_ranks);
    }};

const Test target_star{"controlled flips of one target are one step", [] {
                           Fixture f;
                           std::vector<Gate<F>> gates;
                           for (int k = 0; k < kLevels - 1; ++k)
                               gates.push_back({{{k, 1}}, {kLevels - 1}, f.flip()});
                           const auto steps = f.plan(gates);
                           check(steps.size() == 1 && steps[0].gates.size() == 5 && f.star(steps[0]).lo == 0);
                       }};

const Test phase_star{"phases between one level and others are one step, maps of other levels aside", [] {
                          Fixture f;
                          const auto steps = f.plan({{{{1, 1}}, {0}, f.phase()},
                                                     {{}, {5}, f.mix()},
                                                     {{{0, 1}}, {2}, f.phase()},
                                                     {{{3, 0}}, {0}, f.phase()}});
                          check(steps.size() == 2 && f.star(steps[0]).hi == 3 && steps[0].gates.size() == 3);
                      }};

const Test no_star{"a chain of gates is no star", [] {
                       Fixture f;
                       const auto steps = f.plan(
                           {{{{0, 1}}, {1}, f.flip()}, {{{1, 1}}, {2}, f.mix()}, {{{2, 1}}, {3}, f.flip()}});
                       check(steps.size() >= 2);
                   }};

const Test sheaf{"gates under one control on levels apart are one step", [] {
                     Fixture f;
                     const std::vector<Gate<F>> gates{{{{0, 1}}, {1, 2}, f.swap()},
                                                      {{}, {5}, f.mix()},
                                                      {{{0, 1}}, {4, 3}, f.swap()},
                                                      {{{0, 1}}, {5}, f.flip()}};
                     const auto steps = f.plan(gates);
                     check(steps.size() == 2 && !steps[1].fan && steps[1].gates.size() == 3);
                     check(steps[1].mpo->lo == 0 && steps[1].mpo->hi == 5 && steps[1].mpo->sites.size() == 6);
                 }};

const Test no_sheaf{
    "other controls, and levels in between of others, end such a run", [] {
        Fixture f;
        const Gate<F> first{{{0, 1}}, {2, 4}, f.swap()};
        for (const Gate<F>& next : {Gate<F>{{{0, 0}}, {1, 5}, f.swap()}, Gate<F>{{{1, 1}}, {3, 5}, f.swap()},
                                    Gate<F>{{{0, 1}}, {3, 5}, f.swap()}, Gate<F>{{{0, 1}}, {3}, f.flip()}}) {
            check(f.plan({first, next}).size() == 2);
        }
    }};

const Test factors{
    "a controlled factor becomes a map of its last control", [] {
        Fixture f;
        const std::vector<std::int32_t> controls_ptr{0, 2}, controls{1, 4}, targets_ptr{0, 0}, targets,
            index{0};
        const std::vector<std::uint8_t> values{1, 0};
        const std::vector<std::int64_t> matrix_ptr{0, 1};
        const std::vector<Word> entries{7};
        BlockOf<F> block(f.context, kLevels,
                         {controls_ptr, controls, values, targets_ptr, targets, index, matrix_ptr, entries});
        const auto plan = block.plan(f.context, 0, 1);
        const Gate<F>& gate = plan->at(0).gates.at(0);
        check(gate.controls.size() == 1 && gate.targets == Few<int, 2>{4});
        const auto again = block.plan(f.context, 0, 1);  // kept, because it runs more than once
        check(again != plan && block.plan(f.context, 0, 1) == again);
        const std::vector<std::int32_t> beyond{1, kLevels};
        check_throws<std::invalid_argument>([&] {
            BlockOf<F>(f.context, kLevels,
                       {controls_ptr, beyond, values, targets_ptr, targets, index, matrix_ptr, entries});
        });
    }};

}  // namespace
