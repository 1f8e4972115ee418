#include <cmath>
#include <random>

#include "linear/rank.h"
#include "testing/check.h"

namespace {

using namespace qismc;
using testing::check;
using testing::check_throws;
using testing::Test;

constexpr Word kPrime = 2305843009213693951;  // 2^61 - 1

/// A random rows x cols matrix of the given rank, some of its columns zero.
template <class F>
Matrix<typename F::Scalar> low_rank(const F& f, std::mt19937_64& rng, int rows, int cols, int rank) {
    Matrix<typename F::Scalar> a(rows, rank), b(rank, cols);
    for (auto& x : a.data) x = f.random(rng);
    for (auto& x : b.data) x = f.random(rng);
    return product(f, a, b);
}

double distance(const ComplexMatrix& a, const ComplexMatrix& b) {
    ComplexMatrix difference = a;
    for (std::size_t i = 0; i < a.data.size(); ++i) difference.data[i] -= b.data[i];
    return norm(difference);
}

const Test products{"products agree with the definition", [] {
                        std::mt19937_64 rng(1);
                        const QuadraticField f(kPrime);
                        const auto a = low_rank(f, rng, 5, 7, 5), b = low_rank(f, rng, 7, 19, 7);
                        const auto c = product(f, a, b);
                        for (int i = 0; i < c.rows; ++i) {
                            for (int j = 0; j < c.cols; ++j) {
                                Gaussian sum = f.zero();
                                for (int k = 0; k < a.cols; ++k) sum = f.add(sum, f.mul(a(i, k), b(k, j)));
                                check(sum == c(i, j));
                            }
                        }
                    }};

const Test exact_factors{"exact factors multiply back and have the rank as their width", [] {
                             std::mt19937_64 rng(2);
                             Watch watch;
                             Context<PrimeField> context{PrimeField(kPrime), watch};
                             for (const auto& [rows, cols, rank] : {std::array{6, 4, 2},
                                                                    {3, 8, 3},
                                                                    {8, 3, 3},
                                                                    {5, 5, 0},
                                                                    {2, 5, 2},
                                                                    {2, 5, 1},
                                                                    {2, 5, 0},
                                                                    {5, 2, 2},
                                                                    {5, 2, 1},
                                                                    {1, 3, 1},
                                                                    {3, 1, 1},
                                                                    {3, 1, 0},
                                                                    {1, 3, 0}}) {
                                 const auto m = low_rank(context.field, rng, rows, cols, rank);
                                 const auto right = split_rows(context, m, true);
                                 check(right.left.cols == std::max(rank, 1) &&
                                       product(context.field, right.left, right.right) == m);
                                 const auto left = split_columns(context, m, false);
                                 check(left.same == (rank == cols));
                                 if (!left.same) check(product(context.field, left.left, left.right) == m);
                                 check(split_rows(context, m, false).same == (rank == rows));
                             }
                         }};

const Test echelon{
    "reduced echelon forms of one row space are equal", [] {
        std::mt19937_64 rng(3);
        Watch watch;
        Context<QuadraticField> context{QuadraticField(kPrime), watch};
        const auto m = low_rank(context.field, rng, 3, 6, 3), mix = low_rank(context.field, rng, 4, 3, 3);
        Echelon<QuadraticField> a(context.field, context.inverses, 6), b(context.field, context.inverses, 6);
        const auto mixed = product(context.field, mix, m);
        for (int i = 0; i < 3; ++i) check(a.insert(m.row(i)));
        for (int i = 0; i < 4; ++i) check(b.insert(mixed.row(i)) == (i < 3));
        check(a.rows() == b.rows());
    }};

const Test pauses{"large eliminations pause, and end where a pause throws", [] {
                      std::mt19937_64 rng(6);
                      Watch watch;
                      Context<QuadraticField> context{QuadraticField(kPrime), watch};
                      const auto m = low_rank(context.field, rng, 64, 64, 64);
                      Echelon<QuadraticField> whole(context.field, context.inverses, 64),
                          part(context.field, context.inverses, 64);
                      int count = 0;
                      whole.insert_all(m.data.data(), m.rows, [&] { ++count; });
                      check(count == 4 && whole.rank() == 64);
                      check_throws<LimitReached>([&] {
                          part.insert_all(m.data.data(), m.rows, [] { throw LimitReached("time", "over"); });
                      });
                      check(part.rank() == 16);
                  }};

const Test gauges{
    "complex factors multiply back, are orthonormal and drop noise", [] {
        std::mt19937_64 rng(4);
        const ComplexField f(0);
        for (const auto& [rows, cols, rank] :
             {std::array{6, 4, 2}, {3, 8, 3}, {8, 3, 2}, {1, 1, 1}, {120, 110, 37}, {90, 130, 90}}) {
            auto m = low_rank(f, rng, rows, cols, rank);
            for (auto& x : m.data) x += 1e-15 * f.random(rng);
            const auto right = truncated_rows(m);
            check(right.left.cols == rank &&
                  distance(product(f, right.left, right.right), m) < 1e-13 * norm(m));
            check(distance(product(f, right.right, adjoint(right.right)), identity(f, rank)) < 1e-13);
            const auto left = orthonormal_columns(m);
            check(distance(product(f, left.left, left.right), m) < 1e-13 * norm(m));
            check(distance(product(f, adjoint(left.left), left.left), identity(f, left.left.cols)) < 1e-13);
        }
    }};

const Test nearly_dependent{
    "columns that all but depend on each other become orthonormal, whatever their length", [] {
        std::mt19937_64 rng(5);
        const ComplexField f(0);
        for (const auto& [rows, cols, rank] :
             {std::array{37, 29, 5}, {30, 40, 7}, {5, 5, 1}, {140, 100, 20}}) {
            auto m = low_rank(f, rng, rows, cols, rank);
            for (auto& x : m.data) x += 1e-9 * f.random(rng);
            const auto found = orthonormal_columns(m);
            const int width = std::min(rows, cols);
            check(found.left.cols == width && found.right.rows == width);
            check(distance(product(f, found.left, found.right), m) < 1e-13 * norm(m));
            check(distance(product(f, adjoint(found.left), found.left), identity(f, width)) < 1e-12);
        }
    }};

const Test few_columns{
    "what is dropped is small, and hardly more is kept than singular values ask for", [] {
        std::mt19937_64 rng(6);
        const ComplexField f(0);
        for (const auto& [rows, cols] : {std::array{24, 30}, {40, 12}, {16, 16}, {110, 120}, {130, 90}}) {
            const int width = std::min(rows, cols);
            const auto u = orthonormal_columns(low_rank(f, rng, rows, width, width)).left;
            auto v = orthonormal_columns(low_rank(f, rng, cols, width, width)).left;
            for (int k = 0; k < width; ++k) {
                for (int j = 0; j < cols; ++j) v(j, k) *= std::pow(10, -18.0 * k / width);
            }
            const auto m = product(f, u, adjoint(v));
            const auto found = truncated_columns(m);
            const auto values = singular_values(m).values;
            const auto larger = [&](double bound) {
                return std::count_if(values.begin(), values.end(), [&](double x) { return x > bound; });
            };
            check(distance(product(f, found.left, found.right), m) <= 2 * kTruncation * norm(m));
            check(distance(product(f, adjoint(found.left), found.left), identity(f, found.left.cols)) <
                  1e-13);
            check(found.left.cols >= larger(2 * kTruncation * norm(m)));
            check(found.left.cols <= larger(0.001 * kTruncation * norm(m)));
        }
    }};

const Test zero_matrix{
    "the zero matrix has factors of width 1", [] {
        const ComplexMatrix zero(3, 4);
        check(truncated_rows(zero).left.cols == 1 && norm(truncated_rows(zero).left) == 0);
        check(orthonormal_columns(zero).left.cols == 1 && norm(orthonormal_columns(zero).right) == 0);
    }};

const Test singular{
    "singular values of a known matrix", [] {
        ComplexMatrix m(2, 2);
        m(0, 0) = 3;
        m(1, 0) = Complex{0, 4};
        m(1, 1) = 5;  // |m|^2 = 50, |det| = 15
        const auto s = singular_values(m).values;
        check(std::abs(s[0] * s[1] - 15) < 1e-12 && std::abs(s[0] * s[0] + s[1] * s[1] - 50) < 1e-12);
    }};

}  // namespace
