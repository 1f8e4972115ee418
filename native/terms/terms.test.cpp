#include "terms/terms.h"

#include <random>
#include <set>

#include "dense/dense.h"
#include "field/quadratic_field.h"
#include "terms/convert.h"
#include "testing/check.h"
#include "train/evaluate.h"

namespace {

using namespace qismc;
using testing::check;
using testing::Test;

constexpr Word kPrime = 2305843009213693951;  // 2^61 - 1
constexpr int kLevels = 5;

/// Random lists of terms and gates over a field, and arrays to compare with.
template <class F>
struct Fixture {
    using S = typename F::Scalar;
    Watch watch;
    Context<F> context{F(kPrime), watch};
    std::mt19937_64 rng{11};

    int below(int n) { return static_cast<int>(rng() % static_cast<Word>(n)); }

    std::shared_ptr<const Operator<F>> op(int side, bool monomial) {
        const F& f = context.field;
        Matrix<S> m(side, side);
        if (monomial) {
            std::vector<int> rows(side);
            for (int x = 0; x < side; ++x) rows[x] = x;
            std::shuffle(rows.begin(), rows.end(), rng);
            for (int x = 0; x < side; ++x) m(rows[x], x) = below(4) == 0 ? f.zero() : f.random(rng);
        } else {
            for (S& x : m.data) x = below(3) == 0 ? f.zero() : f.random(rng);
        }
        return std::make_shared<Operator<F>>(context, std::move(m));
    }

    Gate<F> gate() {
        std::vector<int> levels(kLevels);
        for (int k = 0; k < kLevels; ++k) levels[k] = k;
        std::shuffle(levels.begin(), levels.end(), rng);
        const int targets = 1 + below(2), controls = below(3);
        Gate<F> gate{{}, {levels.begin(), levels.begin() + targets}, op(1 << targets, below(2) == 0)};
        for (int c = 0; c < controls; ++c) gate.controls.push_back({levels[targets + c], below(2)});
        return gate;
    }

    Terms<F> terms(int count) {
        Terms<F> found{kLevels, {}, {}};
        std::vector<Word> words(1 << kLevels);
        for (std::size_t i = 0; i < words.size(); ++i) words[i] = i;
        std::shuffle(words.begin(), words.end(), rng);
        for (int i = 0; i < count; ++i) found.add(words[i], context.field.random(rng));
        return found;
    }

    Dense<F> array(const Terms<F>& terms) {
        Dense<F> found{kLevels, std::vector<S>(std::size_t{1} << kLevels, context.field.zero())};
        for (std::size_t i = 0; i < terms.size(); ++i) found.amplitudes[terms.words[i]] = terms.amplitudes[i];
        return found;
    }

    bool same(const std::vector<S>& a, const std::vector<S>& b) {
        if constexpr (F::exact) {
            return a == b;
        } else {
            double largest = 1e-300, apart = 0;
            for (std::size_t i = 0; i < a.size(); ++i) {
                largest = std::max(largest, std::abs(a[i]));
                apart = std::max(apart, std::abs(a[i] - b[i]));
            }
            return apart <= 1e-10 * largest;
        }
    }
};

template <class F>
void gates_agree() {
    Fixture<F> f;
    for (int round = 0; round < 200; ++round) {
        Terms<F> terms = f.terms(f.below(12));
        Dense<F> array = f.array(terms);
        for (int step = 0; step < 6; ++step) {
            const Gate<F> gate = f.gate();
            apply_terms(f.context, terms, gate);
            apply_dense(f.context, array, gate);
            check(f.same(f.array(terms).amplitudes, array.amplitudes));
            for (const auto& x : terms.amplitudes) check(!f.context.field.is_zero(x));
        }
        check(std::set<Word>(terms.words.begin(), terms.words.end()).size() == terms.size());
    }
}

template <class F>
void conversions_agree() {
    Fixture<F> f;
    for (int count = 0; count <= 1 << kLevels; ++count) {
        const Terms<F> terms = f.terms(count);
        const Dense<F> array = f.array(terms);
        const Train<F> train = train_of_terms(f.context, terms);
        check(f.same(expand(f.context.field, train), array.amplitudes));
        check(train.bonds() == train_of_amplitudes(f.context, array.amplitudes, kLevels).bonds());
        const auto back = few_terms(f.context, train, count + 1, 1 << 20);
        check(back && back->size() == terms.size() && f.same(f.array(*back).amplitudes, array.amplitudes));
        if (count > 0) check(!few_terms(f.context, train, count - 1, 1 << 20));
        check(!few_terms(f.context, train, count + 1, 1));
    }
}

const Test gates{"gates on lists of terms and on arrays agree", [] {
                     gates_agree<QuadraticField>();
                     gates_agree<ComplexField>();
                 }};

const Test conversions{"lists of terms become minimal trains, and trains with few terms lists", [] {
                           conversions_agree<QuadraticField>();
                           conversions_agree<ComplexField>();
                       }};

const Test values{"values of lists of terms at product functionals", [] {
                      Fixture<QuadraticField> f;
                      for (int count = 0; count <= 1 << kLevels; ++count) {
                          const auto terms = f.terms(count);
                          std::vector<std::pair<Gaussian, Gaussian>> at;
                          for (int k = 0; k < kLevels; ++k)
                              at.emplace_back(f.context.field.random(f.rng), f.context.field.random(f.rng));
                          const auto weights = [&](int k) { return at[k]; };
                          check(evaluate(f.context.field, terms, weights) ==
                                evaluate(f.context.field, f.array(terms), weights));
                      }
                  }};

const Test cancelling{"what cancels is no term, exactly or up to rounding", [] {
                          Fixture<ComplexField> f;
                          Matrix<Complex> turn(2, 2);
                          turn(0, 0) = turn(0, 1) = turn(1, 0) = std::sqrt(0.5);
                          turn(1, 1) = -std::sqrt(0.5);
                          const auto h = std::make_shared<Operator<ComplexField>>(f.context, turn);
                          Terms<ComplexField> terms{kLevels, {3}, {{0.6, 0.8}}};
                          for (int again = 0; again < 50; ++again)
                              apply_terms(f.context, terms, {{}, {again % kLevels}, h});
                          for (int again = 0; again < 50; ++again)
                              apply_terms(f.context, terms, {{}, {(49 - again) % kLevels}, h});
                          check(terms.size() == 1 && terms.words[0] == 3);
                      }};

const Test patience{"looks in vain become rare", [] {
                        Lookout lookout;
                        std::vector<int> looks;
                        for (int step = 1; step <= 1000; ++step) {
                            if (!lookout.step(10, 100)) continue;
                            looks.push_back(step);
                            check(lookout.affordable() == 2);
                            lookout.in_vain();
                        }
                        check(looks == std::vector<int>{10, 50, 210, 850});
                    }};

}  // namespace
