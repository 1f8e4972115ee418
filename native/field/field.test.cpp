#include <random>

#include "field/long_quadratic_field.h"
#include "field/quadratic_field.h"
#include "field/twin_field.h"
#include "testing/check.h"

namespace {

using namespace qismc;
using testing::check;
using testing::check_throws;
using testing::Test;

constexpr Word kPrime = 4611686018427387847;  // the largest prime below 2^62; 7 mod 8

Word remainder_product(Word a, Word b, Word p) { return static_cast<Word>(Wide{a} * b % p); }

const Test montgomery{"Montgomery products agree with division", [] {
                          std::mt19937_64 rng(1);
                          for (const Word p : {Word{3}, Word{7}, Word{1000003}, kPrime}) {
                              const PrimeField field(p);
                              for (int i = 0; i < 200; ++i) {
                                  const Word a = rng() % p, b = rng() % p;
                                  Word out = 0;
                                  field.store(field.mul(field.load(&a), field.load(&b)), &out);
                                  check(out == remainder_product(a, b, p));
                                  field.store(field.sub(field.load(&a), field.load(&b)), &out);
                                  check(out == (a + p - b) % p);
                              }
                          }
                      }};

const Test long_sums{"long sums of products do not overflow", [] {
                         const QuadraticField field(kPrime);
                         const Word top[2] = {kPrime - 1, kPrime - 1};
                         const Gaussian x = field.load(top);
                         auto sum = field.start();
                         Gaussian expected = field.zero();
                         for (int i = 0; i < 100; ++i) {
                             sum = field.accumulate(sum, x, x);
                             expected = field.add(expected, field.mul(x, x));
                         }
                         check(field.finish(sum) == expected);
                     }};

const Test inverses{"inverses and conjugates in F_p(i)", [] {
                        std::mt19937_64 rng(2);
                        const QuadraticField field(kPrime);
                        for (int i = 0; i < 50; ++i) {
                            const Gaussian a = field.random(rng), b = field.random(rng);
                            check(field.mul(a, field.inv(a)) == field.one());
                            check(field.conj(field.mul(a, b)) == field.mul(field.conj(a), field.conj(b)));
                            check(field.pow(a, kPrime) == field.conj(a));
                        }
                        check_throws<std::domain_error>([&] { field.inv(field.zero()); });
                    }};

const Test twins{
    "two primes at once", [] {
        std::mt19937_64 rng(3);
        const TwinField field(kPrime, 1000003);
        const PrimeField one(kPrime), other(1000003);
        for (int i = 0; i < 50; ++i) {
            const Twin a = field.random(rng), b = field.random(rng);
            check(field.mul(a, b) == Twin{one.mul(a.first, b.first), other.mul(a.second, b.second)});
            check(field.mul(a, field.inv(a)) == field.one());
            check(field.dot2(a, b, b, a) == field.add(field.mul(a, b), field.mul(b, a)));
        }
        check(field.is_zero(field.zero()) && !field.is_zero(field.one()));
        check_throws<PrimesDisagree>([&] { field.is_zero({0, 1}); });
        check_throws<PrimesDisagree>([&] { field.inv({1, 0}); });
        check_throws<std::domain_error>([&] { field.inv(field.zero()); });
        check_throws<std::invalid_argument>([] { TwinField(17, 17); });
    }};

const Test long_fields{
    "primes of two words", [] {
        std::mt19937_64 rng(4);
        const LongField field(1, 3602633801084052100u);
        const LongQuadraticField extension(~Word{0}, 2478427866938051783u);
        for (int i = 0; i < 50; ++i) {
            const Wide a = field.random(rng), b = field.random(rng), c = field.random(rng);
            check(field.mul(a, field.inv(a)) == field.one());
            check(field.mul(a, field.add(b, c)) == field.add(field.mul(a, b), field.mul(a, c)));
            check(field.dot2(a, b, b, a) == field.add(field.mul(a, b), field.mul(b, a)));
            check(field.add(a, field.neg(a)) == 0 && field.sub(a, b) == field.add(a, field.neg(b)));
            const LongGaussian x = extension.random(rng), y = extension.random(rng);
            check(extension.mul(x, extension.inv(x)) == extension.one());
            check(extension.conj(extension.mul(x, y)) == extension.mul(extension.conj(x), extension.conj(y)));
            check(extension.pow(x, Wide{extension.high()} << 64 | extension.low()) == extension.conj(x));
        }
        check_throws<std::domain_error>([&] { field.inv(0); });
        check_throws<std::domain_error>([&] { extension.inv({}); });
        check_throws<std::invalid_argument>([] { LongField(3, 3602633801084052100u); });
        check_throws<std::invalid_argument>([] { LongField(1, 3602633801084052101u); });
        check_throws<std::invalid_argument>([] { LongQuadraticField(1, 2478427866938051783u); });
        check_throws<std::invalid_argument>([] { LongQuadraticField(~Word{0}, 2478427866938051784u); });
    }};

const Test primes{"primality and square roots", [] {
                      check(is_prime(2) && is_prime(kPrime) && !is_prime(1) && !is_prime(3215031751) &&
                            !is_prime(kPrime - 2));
                      for (const Word p : {Word{17}, Word{97}, Word{1000003}}) {
                          for (Word a = 0; a < 40; ++a) {
                              const auto root = square_root(a, p);
                              check(root.has_value() == is_square(a, p));
                              if (root) check(remainder_product(*root, *root, p) == a % p);
                          }
                      }
                      // 1/3 = 8 = 10^2 modulo 23, and 2 + 20 = 22 is no square
                      check(!has_quarter({1, 3}, 23) && has_quarter({1, 3}, 191));
                      check(!has_quarter({1, 3}, 97) && has_quarter({1, 3}, 73) && has_quarter({1, 5}, 241));
                      check_throws<std::invalid_argument>([] { PrimeField(15); });
                      check_throws<std::invalid_argument>([] { QuadraticField(17); });
                  }};

}  // namespace
