#include <cmath>
#include <random>

#include "span/gram_span.h"
#include "span/tracked.h"
#include "testing/check.h"

namespace {

using namespace qismc;
using testing::check;
using testing::check_throws;
using testing::Test;

const Test tracked{
    "dependent rows come with their coefficients, also in later columns", [] {
        Watch watch;
        Context<PrimeField> context{PrimeField(101), watch};
        const auto row = [&](std::vector<Word> residues) {
            for (Word& x : residues) x = context.field.load(&x);
            return residues;
        };
        Tracked<PrimeField> rows(context);
        rows.keep(rows.reduce(row({0, 2, 1})));
        rows.keep(rows.reduce(row({3, 1, 4})));
        auto found = rows.reduce(row({9, 13, 17}));  // 5 * first + 3 * second
        check(all_zero(context.field, found.remainder) && rows.combination(found) == row({5, 3}));
        Matrix<Word> column(2, 1);
        column.data = row({7, 8});
        rows.add_columns(column);
        check(all_zero(context.field, rows.reduce(row({9, 13, 17, 59})).remainder));
        check(!all_zero(context.field, rows.reduce(row({9, 13, 17, 58})).remainder));
    }};

const Test many{"many rows, taken in blocks, with a column more for each", [] {
                    Watch watch;
                    Context<PrimeField> context{PrimeField(2305843009213693951), watch};
                    const auto& f = context.field;
                    std::mt19937_64 rng(7);
                    constexpr int kRows = 50, kSpare = 3;
                    Matrix<Word> given(kRows, kRows + kSpare);
                    for (Word& x : given.data) x = f.random(rng);
                    Tracked<PrimeField> rows(context);
                    for (int i = 0; i < kRows; ++i) {
                        rows.keep(rows.reduce({given.row(i), given.row(i) + i + kSpare}));
                        Matrix<Word> column(i + 1, 1);
                        for (int k = 0; k <= i; ++k) column(k, 0) = given(k, i + kSpare);
                        rows.add_columns(column);
                    }
                    std::vector<Word> weights(kRows), asked(kRows + kSpare, 0);
                    for (int i = 0; i < kRows; ++i) {
                        weights[i] = i % 3 == 0 ? 0 : f.random(rng);
                        add_scaled(f, weights[i], given.row(i), asked.data(), kRows + kSpare);
                    }
                    const auto found = rows.reduce(asked);
                    check(all_zero(f, found.remainder) && rows.combination(found) == weights);
                    asked[4] = f.add(asked[4], f.one());
                    check(!all_zero(f, rows.reduce(asked).remainder));
                }};

const Test cholesky{"the Cholesky factor solves with its Gram matrix", [] {
                        // Unit vectors (1, 0) and (i, 1) / sqrt 2; the asked one is (0, 1).
                        const double h = std::sqrt(0.5);
                        Cholesky gram;
                        gram.grow(gram.forward({}));
                        const auto second = gram.forward({Complex{0, h}});
                        check(std::abs(residual(second) - 0.5) < 1e-15);
                        gram.grow(second);
                        const auto y = gram.forward({0, h});
                        const auto x = gram.backward(y);  // (0, 1) = -i * first + sqrt 2 * second
                        check(residual(y) < 1e-15 && std::abs(x[0] - Complex{0, -1}) < 1e-14 &&
                              std::abs(x[1] - std::sqrt(2)) < 1e-14);
                        check(gram.noise() > 0 && gram.noise() < 1e-13);
                        check(gram.noise(y) > 0 && gram.noise(y) < 1e-13);
                    }};

const Test band{"the grey band is doubt", [] {
                    const Settings settings{"complex", 1};
                    check(decide_zero(1e-11, settings, "x") && !decide_zero(1e-6, settings, "x"));
                    check_throws<NumericDoubt>([&] { decide_zero(1e-8, settings, "x"); });
                    check_throws<NumericDoubt>([&] { decide_zero(0, settings, "x", 1e-3); });
                    Settings strict = settings;
                    strict.measured = 1e-11;
                    check(decide_measured(1e-12, strict, "x"));
                    check_throws<NumericDoubt>([&] { decide_measured(1e-9, strict, "x"); });
                }};

}  // namespace
