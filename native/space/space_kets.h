#pragma once

#include "space/space_of.h"
#include "train/words.h"

namespace qismc {

template <class F>
void SpaceOf<F>::check_kets(const Kets& words) const {
    const auto levels = static_cast<std::size_t>(settings_.levels);
    if (levels == 0 || words.letters.size() % levels != 0) {
        throw std::invalid_argument("every word needs a letter for each level");
    }
    const std::size_t letters = load(words.pairs).size() / 2;
    for (const std::uint8_t letter : words.letters) {
        if (letter >= letters) throw std::invalid_argument("an unknown letter");
    }
}

/// The trains of kets, which share the site of each letter.
template <class F>
std::vector<Train<F>> SpaceOf<F>::ket_trains(const Kets& words) {
    check_kets(words);
    const auto pairs = load(words.pairs);
    std::vector<std::shared_ptr<Site<S>>> sites;
    for (std::size_t i = 0; 2 * i < pairs.size(); ++i) {
        sites.push_back(std::make_shared<Site<S>>(1, 1));
        sites.back()->stacked.data = {pairs[2 * i], pairs[2 * i + 1]};
    }
    const auto levels = static_cast<std::size_t>(settings_.levels);
    std::vector<Train<F>> trains;
    for (std::size_t first = 0; first < words.letters.size(); first += levels) {
        std::vector<std::shared_ptr<Site<S>>> own;
        own.reserve(levels);
        bool zero = false;
        for (std::size_t k = 0; k < levels; ++k) {
            own.push_back(sites[words.letters[first + k]]);
            zero |= all_zero(context_.field, own.back()->stacked.data);
        }
        Train<F>& train = trains.emplace_back(std::move(own));
        if (zero) train.make_zero();
        if (!F::exact) reduce_all(context_, train);
    }
    return trains;
}

template <class F>
std::vector<VectorPtr> SpaceOf<F>::kets(const Kets& words) {
    std::vector<VectorPtr> found;
    for (Train<F>& train : ket_trains(words)) found.push_back(wrap(std::move(train)));
    return found;
}

/// Exact sums whose words have little in common as texts may have much in common as vectors (Fourier states):
/// they are added in halves. Complex ones are added at once, since rounding decides at the scale of the sum.
template <class F>
inline constexpr std::size_t kMostWordNodes = F::exact ? 16 : ~std::size_t{0};

template <class F>
VectorPtr SpaceOf<F>::superposition(const Kets& words, const std::vector<Word>& coefficients) {
    check_kets(words);
    const auto weights = load(coefficients);
    const auto levels = static_cast<std::size_t>(settings_.levels);
    const std::size_t count = words.letters.size() / levels;
    if (weights.size() != count || count == 0) {
        throw std::invalid_argument("a superposition needs one coefficient per ket, and a ket; got " +
                                    std::to_string(weights.size()) + " and " + std::to_string(count));
    }
    watch_.work(words.letters.size());
    const WordGraph<F> graph(context_.field, words.letters, levels, weights, kMostWordNodes<F>);
    if (graph.fits()) {
        return settled(train_of_words(context_, graph, settings_.levels, load(words.pairs)));
    }
    const std::vector<Train<F>> trains = ket_trains(words);
    std::vector<const Train<F>*> parts;
    for (const Train<F>& train : trains) parts.push_back(&train);
    return settled(sum_train(context_, weights, parts));
}

}  // namespace qismc
