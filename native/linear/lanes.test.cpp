#include "linear/lanes.h"

#include <array>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "testing/check.h"

namespace {

using namespace qismc;
using testing::check;
using testing::Test;
using Complex = std::complex<double>;

struct Vector {
    std::vector<double> re, im;
    lanes::Parts parts() const { return {re.data(), im.data()}; }
    Complex at(int i) const { return {re[i], im[i]}; }
};

Vector random_vector(std::mt19937_64& random, int n) {
    std::uniform_real_distribution<double> unit(-1, 1);
    Vector v;
    for (int i = 0; i < n; ++i) {
        v.re.push_back(unit(random));
        v.im.push_back(unit(random));
    }
    return v;
}

/// Does something with each kind of registers; the results must be the same.
template <class Work>
auto on_any_registers(Work work) {
    lanes::allow(2);
    const auto found = work();
    for (const int width : {4, 8}) {
        lanes::allow(width);
        check(work() == found);
    }
    return found;
}

const Test lengths{"products and differences of long vectors, the same on any registers", [] {
                       std::mt19937_64 random(3);
                       for (const int n : {0, 1, 7, 8, 9, 32, 100, 515}) {
                           const Vector x = random_vector(random, n), y = random_vector(random, n);
                           const Complex z{0.3, -1.7};
                           Complex expected;
                           for (int i = 0; i < n; ++i) expected += std::conj(x.at(i)) * y.at(i);
                           const Complex product =
                               on_any_registers([&] { return lanes::dot(x.parts(), y.parts(), n); });
                           check(std::abs(product - expected) < 1e-12);
                           const auto [re, im] = on_any_registers([&] {
                               Vector rest = y;
                               lanes::subtract(z, x.parts(), rest.re.data(), rest.im.data(), n);
                               return std::pair{rest.re, rest.im};
                           });
                           for (int i = 0; i < n; ++i) {
                               check(std::abs(Complex{re[i], im[i]} - (y.at(i) - z * x.at(i))) < 1e-14);
                           }
                       }
                   }};

const Test many{"one vector with many, the same on any registers", [] {
                    std::mt19937_64 random(5);
                    for (const int n : {1, 8, 9, 33, 100}) {
                        for (const int count : {0, 1, 3, 4, 7}) {
                            const Vector x = random_vector(random, n), y = random_vector(random, n * count);
                            const auto apart = static_cast<std::size_t>(n);
                            const auto products = on_any_registers([&] {
                                std::vector<Complex> found(count);
                                lanes::dots(x.parts(), y.parts(), apart, count, n, found.data());
                                return found;
                            });
                            const auto [re, im] = on_any_registers([&] {
                                Vector rest = x;
                                lanes::subtract_all(products.data(), y.parts(), apart, count, rest.re.data(),
                                                    rest.im.data(), n);
                                return std::pair{rest.re, rest.im};
                            });
                            std::vector<Complex> expected(count);
                            for (int k = 0; k < count; ++k) {
                                for (int i = 0; i < n; ++i) {
                                    expected[k] += std::conj(x.at(i)) * y.at(k * n + i);
                                }
                                check(std::abs(products[k] - expected[k]) < 1e-12);
                            }
                            for (int i = 0; i < n; ++i) {
                                Complex rest = x.at(i);
                                for (int k = 0; k < count; ++k) rest -= products[k] * y.at(k * n + i);
                                check(std::abs(Complex{re[i], im[i]} - rest) < 1e-11);
                            }
                        }
                    }
                }};

const Test matrices{"products of matrices, the same on any registers", [] {
                        std::mt19937_64 random(7);
                        const auto matrix = [&](int rows, int cols) {
                            std::vector<Complex> m;
                            const Vector entries = random_vector(random, rows * cols);
                            for (int i = 0; i < rows * cols; ++i) m.push_back(entries.at(i));
                            return m;
                        };
                        for (const auto [rows, inner, cols] :
                             {std::array{1, 1, 1}, {4, 3, 8}, {7, 9, 13}, {5, 16, 31}, {9, 0, 4}}) {
                            const std::size_t wide = cols + 3;  // rows may stand apart
                            const auto a = matrix(rows, inner), b = matrix(inner, static_cast<int>(wide));
                            const auto found = on_any_registers([&] {
                                std::vector<Complex> out(rows * wide, 5.0);
                                lanes::multiply({a.data(), static_cast<std::size_t>(inner)}, {b.data(), wide},
                                                {out.data(), wide}, rows, inner, cols);
                                return out;
                            });
                            for (int i = 0; i < rows; ++i) {
                                for (int j = 0; j < static_cast<int>(wide); ++j) {
                                    Complex sum = j < cols ? 0.0 : 5.0;
                                    for (int k = 0; k < inner && j < cols; ++k) {
                                        sum += a[i * inner + k] * b[k * wide + j];
                                    }
                                    check(std::abs(found[i * wide + j] - sum) < 1e-13);
                                }
                            }
                        }
                    }};

}  // namespace
