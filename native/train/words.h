#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "train/build.h"

namespace qismc {

/// A sum of weighted words as the smallest automaton that reads them letter by letter: two beginnings are one
/// node where the same ends follow them, with the same weights. W states have two nodes between letters.
template <class F>
class WordGraph {
  public:
    using S = typename F::Scalar;
    using Edge = std::pair<std::uint8_t, std::uint32_t>;  // a letter, and the node behind it
    using Node = std::vector<Edge>;

    /// Words are `levels` letters each. Building ends where there are more than `most` nodes between letters.
    WordGraph(const F& field, const std::vector<std::uint8_t>& letters, std::size_t levels,
              const std::vector<S>& weights, std::size_t most)
        : levels_(levels), nodes_(levels) {
        sort(letters, weights.size());
        add_equal_words(field, weights);
        std::vector<std::uint32_t> behind = number_ends();
        for (std::size_t k = levels; k-- > 0;) {
            behind = number_beginnings(letters, k, behind);
            if (nodes_[k].size() > most) {
                fits_ = false;
                return;
            }
        }
    }

    bool fits() const { return fits_; }
    /// The nodes in front of letter k.
    const std::vector<Node>& nodes(std::size_t k) const { return nodes_[k]; }
    /// The weights of the ends, each once; the nodes behind the last letter.
    const std::vector<S>& ends() const { return ends_; }

  private:
    static constexpr std::size_t kFewWeights = 64;  // beyond, weights are not compared

    void sort(const std::vector<std::uint8_t>& letters, std::size_t count) {
        const auto word = [&](std::size_t i) {
            return letters.begin() + static_cast<std::ptrdiff_t>(i * levels_);
        };
        const auto length = static_cast<std::ptrdiff_t>(levels_);
        order_.resize(count);
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
            return std::lexicographical_compare(word(a), word(a) + length, word(b), word(b) + length);
        });
        shared_.assign(count, 0);
        for (std::size_t i = 1; i < count; ++i) {
            const auto first = word(order_[i - 1]);
            const auto differ = std::mismatch(first, first + length, word(order_[i])).first;
            shared_[i] = static_cast<std::size_t>(differ - first);
        }
    }

    /// Weights in the order of the words; those of equal words are added up at the first of them.
    void add_equal_words(const F& field, const std::vector<S>& weights) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < order_.size(); ++i) {
            if (i > 0 && shared_[i] == levels_) {
                weights_.back() = field.add(weights_.back(), weights[order_[i]]);
                continue;
            }
            order_[kept] = order_[i];
            shared_[kept++] = shared_[i];
            weights_.push_back(weights[order_[i]]);
        }
        order_.resize(kept);
        shared_.resize(kept);
    }

    std::vector<std::uint32_t> number_ends() {
        std::vector<std::uint32_t> numbers;
        for (const S& weight : weights_) {
            const bool few = ends_.size() <= kFewWeights;
            const auto known = few ? std::find(ends_.begin(), ends_.end(), weight) : ends_.end();
            numbers.push_back(static_cast<std::uint32_t>(known - ends_.begin()));
            if (known == ends_.end()) ends_.push_back(weight);
        }
        return numbers;
    }

    /// The nodes in front of letter k, numbered; `behind` are the numbers of those behind it. A beginning of
    /// k letters is known by its first word: it shares fewer letters than k with the word before.
    std::vector<std::uint32_t> number_beginnings(const std::vector<std::uint8_t>& letters, std::size_t k,
                                                 const std::vector<std::uint32_t>& behind) {
        std::map<Node, std::uint32_t> known;
        std::vector<std::uint32_t> numbers;
        std::size_t next = 0;  // among the beginnings of k + 1 letters
        Node node;
        const auto close = [&] {
            const auto number = static_cast<std::uint32_t>(nodes_[k].size());
            const auto [place, fresh] = known.emplace(node, number);
            if (fresh) nodes_[k].push_back(node);
            numbers.push_back(place->second);
            node.clear();
        };
        for (std::size_t i = 0; i < order_.size(); ++i) {
            if (i > 0 && shared_[i] > k) continue;
            if (i > 0 && shared_[i] < k) close();
            node.emplace_back(letters[order_[i] * levels_ + k], behind[next++]);
        }
        close();
        return numbers;
    }

    std::size_t levels_;
    bool fits_ = true;
    std::vector<std::size_t> order_;   // words, sorted
    std::vector<std::size_t> shared_;  // letters that each has in common with the one before
    std::vector<S> weights_, ends_;
    std::vector<std::vector<Node>> nodes_;
};

/// The minimal train of a graph of words; letter a stands for the state (pairs[2 a], pairs[2 a + 1]).
template <class F>
Train<F> train_of_words(Context<F>& context, const WordGraph<F>& graph, int levels,
                        const std::vector<typename F::Scalar>& pairs) {
    using S = typename F::Scalar;
    const F& field = context.field;
    std::vector<Site<S>> sites;
    for (int k = 0; k < levels; ++k) {
        const auto& nodes = graph.nodes(static_cast<std::size_t>(k));
        const bool last = k + 1 == levels;
        Site<S>& site = sites.emplace_back(static_cast<int>(nodes.size()),
                                           last ? 1 : static_cast<int>(graph.nodes(k + 1).size()));
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            for (const auto& [letter, to] : nodes[i]) {
                for (int x = 0; x < 2; ++x) {
                    const S& entry = pairs[2 * std::size_t{letter} + static_cast<std::size_t>(x)];
                    S& sum = site.row(x, static_cast<int>(i))[last ? 0 : to];
                    sum = field.add(sum, last ? field.mul(graph.ends()[to], entry) : entry);
                }
            }
        }
    }
    Train<F> train(std::move(sites));
    context.watch.claim(train.bytes());
    reduce_all(context, train);
    return train;
}

}  // namespace qismc
