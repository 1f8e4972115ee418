#include "linear/parts.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "field/complex_field.h"
#include "linear/orthogonal.h"
#include "testing/check.h"

namespace {

using namespace qismc;
using testing::check;
using testing::Test;

/// Where the entries of a matrix come from: so many blocks of this size, of less and less weight, its rows
/// and columns shuffled, with noise everywhere.
struct Blocks {
    int count, rows, cols, rank;
    double decay, noise;
};

ComplexMatrix random_matrix(std::mt19937_64& random, int rows, int cols) {
    std::normal_distribution<double> draw;
    ComplexMatrix m(rows, cols);
    for (auto& x : m.data) x = {draw(random), draw(random)};
    return m;
}

ComplexMatrix shuffled(std::mt19937_64& random, const Blocks& blocks) {
    const ComplexField f(0);
    ComplexMatrix m = random_matrix(random, blocks.count * blocks.rows, blocks.count * blocks.cols);
    for (auto& x : m.data) x *= blocks.noise;
    std::vector<int> rows(m.rows), cols(m.cols);
    std::iota(rows.begin(), rows.end(), 0);
    std::iota(cols.begin(), cols.end(), 0);
    std::shuffle(rows.begin(), rows.end(), random);
    std::shuffle(cols.begin(), cols.end(), random);
    for (int b = 0; b < blocks.count; ++b) {
        const auto block = product(f, random_matrix(random, blocks.rows, blocks.rank),
                                   random_matrix(random, blocks.rank, blocks.cols));
        for (int i = 0; i < blocks.rows; ++i) {
            for (int j = 0; j < blocks.cols; ++j) {
                m(rows[b * blocks.rows + i], cols[b * blocks.cols + j]) +=
                    std::pow(blocks.decay, b) * block(i, j);
            }
        }
    }
    return m;
}

double distance(ComplexMatrix a, const ComplexMatrix& b) {
    for (std::size_t i = 0; i < a.data.size(); ++i) a.data[i] -= b.data[i];
    return norm(a);
}

const Test found{"a matrix falls into its parts", [] {
                     const ComplexMatrix empty(2, 3);
                     const auto counts = [](const ComplexMatrix& m) {
                         return [&m](int i, int j) { return m(i, j) != Complex{}; };
                     };
                     check(parts_of(empty, counts(empty)).empty());
                     ComplexMatrix m(4, 5);
                     m(0, 1) = m(2, 1) = m(2, 4) = m(3, 0) = 1;  // row 1, columns 2 and 3 are empty
                     const auto parts = parts_of(m, counts(m));
                     check(parts.size() == 2);
                     check(parts[0].rows == std::vector{0, 2} && parts[0].cols == std::vector{1, 4});
                     check(parts[1].rows == std::vector{3} && parts[1].cols == std::vector{0});
                     check(cut_out(m, parts[0]).data == std::vector<Complex>{1, 0, 1, 1});
                     m(1, 0) = m(1, 4) = 1;
                     check(parts_of(m, counts(m)).size() == 1);
                 }};

const Test factors{
    "factors of a matrix that falls into parts multiply back, are orthonormal and drop noise", [] {
        const ComplexField f(0);
        std::mt19937_64 random(8);
        for (const Blocks& blocks : {Blocks{5, 12, 20, 7, 1.0, 0.0},
                                     {40, 3, 2, 2, 1.0, 1e-17},
                                     {7, 16, 16, 5, 1e-2, 1e-18},
                                     {2, 80, 70, 30, 1e-3, 1e-17},
                                     {12, 8, 8, 8, 1e-2, 0.0}}) {
            const auto m = shuffled(random, blocks);
            int kept = 0;  // what is not lost in rounding
            for (int b = 0; b < blocks.count; ++b)
                kept += std::pow(blocks.decay, b) > 1e-11 ? blocks.rank : 0;
            const auto below = [&](const ComplexMatrix& a, const ComplexMatrix& b) {
                return distance(a, b) < 2 * kTruncation * norm(m);
            };
            for (const bool rows : {false, true}) {
                const auto [left, right] = rows ? truncated_rows(m) : truncated_columns(m);
                check(below(product(f, left, right), m));
                const auto gram = rows ? product(f, right, adjoint(right)) : product(f, adjoint(left), left);
                check(distance(gram, identity(f, gram.rows)) < 1e-13);
                if (blocks.decay == 1.0) check(gram.rows == kept);
                check(gram.rows >= kept && gram.rows <= blocks.count * blocks.rank);
            }
            const auto [left, right] = orthonormal_columns(m);
            check(below(product(f, left, right), m));
            check(distance(product(f, adjoint(left), left), identity(f, left.cols)) < 1e-12);
        }
    }};

}  // namespace
