#include "linear/wide.h"

#include <random>
#include <vector>

#include "linear/matrix.h"
#include "testing/check.h"

namespace {

using namespace qismc;
using testing::check;
using testing::Test;

constexpr Word kPrimes[] = {7,
                            1'000'003,
                            4'503'599'627'370'323,
                            4'503'599'627'370'517,
                            2'305'843'009'213'693'951,
                            4'611'686'018'427'387'847};
constexpr int kSizes[][2] = {{4, 16}, {5, 17}, {9, 24}, {33, 31}, {40, 100}, {1025, 33}};

Word largest_of(const PrimeField& f) { return f.modulus() - 1; }
Gaussian largest_of(const QuadraticField& f) { return {f.modulus() - 1, f.modulus() - 1}; }

/// Both ways agree on random entries, some of them zero, and on the largest ones.
template <class F>
void compare(Word prime) {
    using S = typename F::Scalar;
    const F f(prime);
    std::mt19937_64 rng(prime);
    for (const auto& [rows, cols] : kSizes) {
        for (const bool largest : {false, true}) {
            Matrix<S> m(rows, cols);
            std::vector<S> c(rows), plain(cols), fast(cols);
            const auto draw = [&] { return rng() % 5 == 0 ? f.zero() : f.random(rng); };
            for (S& x : m.data) x = largest ? largest_of(f) : draw();
            for (S& x : c) x = largest ? largest_of(f) : draw();
            wide::allow(false);
            combine_rows(f, c.data(), rows, m.data.data(), cols, cols, plain.data());
            wide::allow(true);
            combine_rows(f, c.data(), rows, m.data.data(), cols, cols, fast.data());
            check(plain == fast);
        }
    }
}

const Test prime{"combinations over F_p are the same on wide registers", [] {
                     for (const Word p : kPrimes) compare<PrimeField>(p);
                 }};

const Test quadratic{"combinations over F_p(i) are the same on wide registers", [] {
                         for (const Word p : kPrimes) {
                             if (p % 4 == 3) compare<QuadraticField>(p);
                         }
                     }};

}  // namespace
