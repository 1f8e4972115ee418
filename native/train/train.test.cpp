#include <random>

#include "block/fan.h"
#include "dense/dense.h"
#include "testing/check.h"
#include "train/build.h"
#include "train/evaluate.h"

namespace {

using namespace qismc;
using testing::check;
using testing::Test;

using F = QuadraticField;
constexpr Word kPrime = 2305843009213693951;  // 2^61 - 1
constexpr int kLevels = 5;

struct Fixture {
    Watch watch;
    Context<F> context{F(kPrime), watch};
    std::mt19937_64 rng{7};

    std::shared_ptr<const Operator<F>> op(std::vector<Gaussian> entries) {
        const int side = entries.size() == 4 ? 2 : 4;
        Matrix<Gaussian> m(side, side);
        m.data = std::move(entries);
        return std::make_shared<Operator<F>>(context, std::move(m));
    }
    std::shared_ptr<const Operator<F>> flip() {
        const Gaussian zero = context.field.zero(), one = context.field.one();
        return op({zero, one, one, zero});
    }
    std::shared_ptr<const Operator<F>> random_op(int entries) {
        std::vector<Gaussian> m(entries);
        for (auto& x : m) x = context.field.random(rng);
        return op(std::move(m));
    }
    Train<F> random_product() {
        std::vector<Gaussian> pairs(2 * kLevels);
        for (auto& x : pairs) x = context.field.random(rng);
        return product_train(context, pairs);
    }
};

/// Applies the gates to a train and to its amplitudes; both must agree.
void compare(Fixture& fixture, const std::vector<Gate<F>>& gates) {
    Train<F> train = fixture.random_product();
    Dense<F> dense{kLevels, expand(fixture.context.field, train)};
    for (const auto& gate : gates) {
        apply_mpo(fixture.context, train, gate_mpo(fixture.context, gate));
        apply_dense(fixture.context, dense, gate);
        check(expand(fixture.context.field, train) == dense.amplitudes);
    }
}

const Test controlled{"controlled gates on trains and arrays agree", [] {
                          Fixture f;
                          compare(f, {{{{0, 1}}, {3}, f.flip()},
                                      {{{4, 0}, {2, 1}}, {1}, f.random_op(4)},
                                      {{{3, 1}}, {0}, f.random_op(4)}});
                      }};

const Test many_targets{"matrices on distant, permuted targets agree", [] {
                            Fixture f;
                            const auto two = f.random_op(16);
                            compare(f, {{{}, {0, 3}, two}, {{}, {4, 1}, two}, {{{2, 0}}, {3, 1}, two}});
                        }};

const Test projector{
    "a projector on a cat state makes it a product again", [] {
        Fixture f;
        const F& field = f.context.field;
        std::vector<Gaussian> pairs;
        for (int k = 0; k < kLevels; ++k) {
            pairs.push_back(field.one());
            pairs.push_back(k == 0 ? field.one() : field.zero());
        }
        Train<F> train = product_train(f.context, pairs);
        for (int k = 0; k + 1 < kLevels; ++k) {
            apply_mpo(f.context, train, gate_mpo(f.context, Gate<F>{{{k, 1}}, {k + 1}, f.flip()}));
        }
        check(train.bonds() == std::vector<int>{1, 2, 2, 2, 2, 1});
        const auto before = expand(field, train);
        Train<F> copy = train;
        apply_one_site(f.context, copy, 2, local_projector(field, 1), false);
        check(copy.bonds() == std::vector<int>(kLevels + 1, 1));
        check(expand(field, train) == before);  // the original shares sites with the copy and must not notice
        apply_one_site(f.context, copy, 4, local_projector(field, 0), false);
        check(all_zero(field, copy.site(0).stacked.data));
    }};

const Test star{"a star of gates as one operator equals the gates one by one", [] {
                    Fixture f;
                    const F& field = f.context.field;
                    const std::vector<Gate<F>> gates = {{{{1, 1}}, {2}, f.flip()},
                                                        {{{4, 0}}, {2}, f.flip()},
                                                        {{}, {1}, f.random_op(4)},
                                                        {{{0, 1}}, {2}, f.flip()}};
                    auto fan = Fan<F>::around(field, gates[0], true);
                    check(fan.has_value());
                    for (std::size_t i = 1; i < gates.size(); ++i) check(fan->absorb(field, gates[i]));
                    check(fan->entangling() == 3 && !fan->absorb(field, {{{2, 1}}, {0}, f.flip()}));
                    Train<F> train = f.random_product();
                    Dense<F> dense{kLevels, expand(field, train)};
                    apply_mpo(f.context, train, fan->mpo(field));
                    for (const auto& gate : gates) apply_dense(f.context, dense, gate);
                    check(expand(field, train) == dense.amplitudes);
                }};

const Test values{"values at product functionals agree", [] {
                      Fixture f;
                      const F& field = f.context.field;
                      Train<F> train = f.random_product();
                      apply_mpo(f.context, train,
                                gate_mpo(f.context, Gate<F>{{{0, 1}}, {4}, f.random_op(4)}));
                      const Dense<F> dense{kLevels, expand(field, train)};
                      std::vector<std::pair<Gaussian, Gaussian>> point;
                      for (int k = 0; k < kLevels; ++k)
                          point.emplace_back(field.random(f.rng), field.random(f.rng));
                      const auto weights = [&](int k) { return point[k]; };
                      check(evaluate(field, train, weights) == evaluate(field, dense, weights));
                      check(pair_up(field, train, train, true) == pair_up(field, dense, dense, true));
                  }};

const Test limits{"limits are raised from inside an application", [] {
                      Fixture f;
                      Train<F> train = f.random_product();
                      f.watch.set_limits({std::nullopt, 10});
                      testing::check_throws<LimitReached>([&] {
                          apply_mpo(f.context, train, gate_mpo(f.context, Gate<F>{{{0, 1}}, {4}, f.flip()}));
                      });
                      f.watch.set_limits({0.0, std::nullopt});
                      testing::check_throws<LimitReached>([&] { f.watch.work(1'000'000); });
                  }};

}  // namespace
