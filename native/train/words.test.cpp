#include "train/words.h"

#include <random>

#include "testing/check.h"
#include "train/evaluate.h"

namespace {

using namespace qismc;
using testing::check;
using testing::Test;

using F = PrimeField;
constexpr Word kPrime = 2305843009213693951;  // 2^61 - 1
constexpr std::size_t kNoLimit = ~std::size_t{0};

struct Sum {
    std::size_t levels;
    std::vector<std::uint8_t> letters;
    std::vector<Word> weights;
};

/// All amplitudes of a sum, term by term.
std::vector<Word> listed(const F& field, const Sum& sum, const std::vector<Word>& pairs) {
    std::vector<Word> total(std::size_t{1} << sum.levels, field.zero());
    for (std::size_t word = 0; word < sum.weights.size(); ++word) {
        for (std::size_t index = 0; index < total.size(); ++index) {
            Word amplitude = sum.weights[word];
            for (std::size_t k = 0; k < sum.levels; ++k) {
                const std::size_t digit = index >> (sum.levels - 1 - k) & 1;
                amplitude = field.mul(amplitude, pairs[2 * sum.letters[word * sum.levels + k] + digit]);
            }
            total[index] = field.add(total[index], amplitude);
        }
    }
    return total;
}

const Test any_sum{
    "sums of words have the amplitudes of their terms, equal words and weights included", [] {
        Watch watch;
        Context<F> context{F(kPrime), watch};
        std::mt19937_64 rng{5};
        for (int round = 0; round < 60; ++round) {
            Sum sum{1 + rng() % 6, {}, {}};
            const std::size_t words = 1 + rng() % 9, alphabet = 1 + rng() % 3;
            std::vector<Word> pairs;
            for (std::size_t i = 0; i < 2 * alphabet; ++i) pairs.push_back(context.field.random(rng));
            const Word usual = context.field.random(rng);
            for (std::size_t i = 0; i < words; ++i) {
                for (std::size_t k = 0; k < sum.levels; ++k)
                    sum.letters.push_back(static_cast<std::uint8_t>(rng() % alphabet));
                sum.weights.push_back(rng() % 2 ? usual : context.field.random(rng));
            }
            const WordGraph<F> graph(context.field, sum.letters, sum.levels, sum.weights, kNoLimit);
            check(graph.fits());
            const auto train = train_of_words(context, graph, static_cast<int>(sum.levels), pairs);
            check(expand(context.field, train) == listed(context.field, sum, pairs));
        }
    }};

const Test cancelling{"words that cancel are the zero vector", [] {
                          Watch watch;
                          Context<F> context{F(kPrime), watch};
                          const F& f = context.field;
                          const std::vector<Word> pairs{f.one(), f.zero(), f.zero(), f.one()};
                          const std::vector<Word> weights{f.one(), f.sub(f.zero(), f.one())};
                          const WordGraph<F> graph(f, {0, 1, 0, 1}, 2, weights, kNoLimit);
                          const auto train = train_of_words(context, graph, 2, pairs);
                          check(expand(f, train) == std::vector<Word>(4, f.zero()));
                      }};

const Test w_state{"the graph of a W state has at most two nodes between letters", [] {
                       const F field(kPrime);
                       constexpr std::size_t kLevels = 40;
                       std::vector<std::uint8_t> letters(kLevels * kLevels, 0);
                       for (std::size_t k = 0; k < kLevels; ++k) letters[k * kLevels + k] = 1;
                       const std::vector<Word> weights(kLevels, field.one());
                       const WordGraph<F> graph(field, letters, kLevels, weights, 2);
                       check(graph.fits());
                       check(!WordGraph<F>(field, letters, kLevels, weights, 1).fits());
                   }};

}  // namespace
