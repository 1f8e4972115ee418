// Fixed work for counting instructions: native_speed CASE. The printed sums keep the compiler from leaving it
// out.
#include <cstdio>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "dense/dense.h"
#include "order/level_order.h"
#include "span/tracked.h"
#include "train/build.h"
#include "train/evaluate.h"

namespace {

using namespace qismc;

constexpr Word kPrime = 2305843009213693951;  // 2^61 - 1

/// Multiplications and additions of the field.
Word products() {
    const PrimeField field(kPrime);
    std::mt19937_64 rng(1);
    Word sum = field.one(), factor = field.random(rng);
    for (int k = 0; k < 2'000'000; ++k) sum = field.add(field.mul(sum, factor), factor);
    return sum;
}

/// Independent rows of random residues, then one that depends on them.
Word elimination() {
    Watch watch;
    Context<PrimeField> context{PrimeField(kPrime), watch};
    std::mt19937_64 rng(2);
    constexpr int kRows = 120;
    Tracked<PrimeField> rows(context);
    Word sum = 0;
    for (int i = 0; i < kRows; ++i) {
        std::vector<Word> row(kRows);
        for (Word& x : row) x = context.field.random(rng);
        auto reduced = rows.reduce(row);
        sum ^= reduced.remainder[i];
        rows.keep(std::move(reduced));
    }
    return sum;
}

/// Controlled gates between neighbours and across, on a train of 24 levels that stays thin.
Word trains() {
    using F = QuadraticField;
    Watch watch;
    Context<F> context{F(kPrime), watch};
    const Gaussian zero = context.field.zero(), one = context.field.one();
    Matrix<Gaussian> flip(2, 2);
    flip.data = {zero, one, one, zero};
    const auto op = std::make_shared<const Operator<F>>(context, std::move(flip));
    constexpr int kLevels = 24;
    std::vector<Gaussian> pairs;
    for (int k = 0; k < kLevels; ++k) pairs.insert(pairs.end(), {one, k % 3 == 0 ? one : zero});
    Train<F> train = product_train(context, pairs);
    Word sum = 0;
    for (int round = 0; round < 40; ++round) {
        const int first = round % (kLevels - 4);
        apply_mpo(context, train, gate_mpo(context, Gate<F>{{{first, 1}}, {first + 3}, op}));
        for (const int bond : train.bonds()) sum += static_cast<Word>(bond);
    }
    return sum;
}

/// Gates on an array of 2^12 amplitudes, and its value at a product functional on most of the levels.
Word arrays() {
    using F = PrimeField;
    Watch watch;
    Context<F> context{F(kPrime), watch};
    std::mt19937_64 rng(4);
    constexpr int kLevels = 12;
    Dense<F> array{kLevels, std::vector<Word>(1 << kLevels)};
    for (Word& x : array.amplitudes) x = context.field.random(rng);
    Matrix<Word> map(2, 2);
    for (Word& x : map.data) x = context.field.random(rng);
    const auto op = std::make_shared<const Operator<F>>(context, std::move(map));
    for (int k = 0; k + 1 < kLevels; ++k) {
        apply_dense(context, array, Gate<F>{{}, {k}, op});
        apply_dense(context, array, Gate<F>{{{k, 1}}, {k + 1}, op});
    }
    const auto weights = [&](int k) {
        return k == 3 ? std::nullopt : std::optional(std::pair{context.field.one(), array.amplitudes[k]});
    };
    return partly_evaluated(context.field, array, weights).amplitudes[1];
}

/// An order for the qubits of a random circuit.
Word orders() {
    using namespace qismc::order;
    std::mt19937_64 random(3);
    Rows gates;
    for (int edge = 0; edge < 600; ++edge) {
        std::vector<Vertex> pins(2 + random() % 2);
        for (Vertex& pin : pins) pin = static_cast<Vertex>(random() % 80);
        gates.push(pins);
    }
    Word sum = 0;
    for (const Vertex vertex : level_order(Hypergraph(80, gates, {}), Method::automatic, 1)) {
        sum = 31 * sum + static_cast<Word>(vertex);
    }
    return sum;
}

struct Case {
    const char* name;
    Word (*work)();
};

constexpr Case kCases[] = {{"products", products},
                           {"elimination", elimination},
                           {"trains", trains},
                           {"arrays", arrays},
                           {"orders", orders}};

}  // namespace

int main(int argc, char** argv) {
    qismc::wide::allow(false);  // the code that every processor has
    qismc::lanes::allow(2);
    for (const Case& chosen : kCases) {
        if (argc == 2 && std::strcmp(argv[1], chosen.name) == 0) {
            std::printf("%llu\n", static_cast<unsigned long long>(chosen.work()));
            return 0;
        }
    }
    for (const Case& known : kCases) std::printf("%s\n", known.name);
    return argc == 1 ? 0 : 2;
}
