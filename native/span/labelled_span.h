#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "space/space.h"
#include "span/frame.h"

namespace qismc {

/// A span that falls into blocks. A level is a *label* if every vector is in a basis state there, as a
/// measured qubit is. Vectors with different labels are orthogonal, so each block, the vectors with the same
/// labels, has a span of its own, and dimensions add up. Few vectors are kept in one block.
template <class SpaceType, class Inner>
class LabelledSpan final : public Span {
  public:
    using F = typename SpaceType::Field;

    explicit LabelledSpan(std::shared_ptr<SpaceType> space) : space_(std::move(space)) {}

    int dimension() const override { return static_cast<int>(vectors_.size()); }

    bool add(const VectorPtr& v) override { return add_all({v})[0]; }

    std::vector<bool> add_all(const std::vector<VectorPtr>& vectors) override {
        std::vector<bool> fresh(vectors.size(), false);
        const auto letters = read(vectors);
        std::map<std::string, std::vector<std::size_t>> groups;
        for (std::size_t i = 0; i < vectors.size(); ++i) groups[key(letters[i])].push_back(i);
        std::vector<Block*> homes(vectors.size());
        for (const auto& [name, members] : groups) {
            Block& block = block_at(name);
            std::vector<VectorPtr> own;
            for (const std::size_t i : members) own.push_back(vectors[i]);
            const auto found = block.span->add_all(own);
            for (std::size_t k = 0; k < members.size(); ++k) {
                fresh[members[k]] = found[k];
                homes[members[k]] = &block;
            }
        }
        for (std::size_t i = 0; i < vectors.size(); ++i) {
            if (!fresh[i]) continue;
            homes[i]->members.push_back(vectors_.size());
            vectors_.push_back(vectors[i]);
        }
        return fresh;
    }

    bool contains(const VectorPtr& v) override {
        if (is_nothing(v) || is_full()) return true;
        const auto found = blocks_.find(key(read({v})[0]));
        return found != blocks_.end() && found->second.span->contains(v);
    }

    std::optional<std::vector<Word>> coordinates(const VectorPtr& v) override {
        const int words = space_->words_per_scalar();
        std::vector<Word> all(vectors_.size() * words, 0);
        if (is_nothing(v)) return all;
        const auto found = blocks_.find(key(read({v})[0]));
        if (found == blocks_.end()) return std::nullopt;
        const auto own = found->second.span->coordinates(v);
        if (!own) return std::nullopt;
        for (std::size_t k = 0; k < found->second.members.size(); ++k) {
            std::copy_n(own->begin() + k * words, words, all.begin() + found->second.members[k] * words);
        }
        return all;
    }

  private:
    static constexpr std::size_t kFew = 32;  // so many vectors are one block, whatever labels they have
    static constexpr int kMostMerges = 4;    // how often labels may prove wrong before there are none

    using Letters = typename Frame<F>::Letters;

    struct Block {
        std::unique_ptr<Span> span;
        std::vector<std::size_t> members;  // their places among all that were kept
    };

    Block& block_at(const std::string& name) {
        Block& block = blocks_[name];
        if (!block.span) block.span = std::make_unique<Inner>(space_);
        return block;
    }

    bool is_nothing(const VectorPtr& v) const {
        if constexpr (F::exact) return space_->is_zero(v);
        return space_->norm(v) == 0;
    }

    bool is_full() const {
        const int levels = space_->settings().levels;
        return levels < 31 && dimension() == 1 << levels;
    }

    /// The letters of vectors that are asked about; levels without one are labels no longer.
    std::vector<Letters> read(const std::vector<VectorPtr>& vectors) {
        if (labels_.empty() && (is_settled_ || vectors_.size() + vectors.size() <= kFew))
            return std::vector<Letters>(vectors.size());
        std::vector<Letters> letters;
        if (!is_settled_) {
            is_settled_ = true;
            for (int k = 0; k < space_->settings().levels; ++k) labels_.push_back(k);
            letters = listed(vectors_);
            narrow(letters);
        }
        letters = listed(vectors);
        const std::size_t before = labels_.size();
        narrow(letters);
        if (!blocks_.empty() && (labels_.size() < before || blocks_.begin()->first.size() != before))
            arrange();
        return letters;
    }

    std::vector<Letters> listed(const std::vector<VectorPtr>& vectors) const {
        std::vector<Letters> found;
        for (const VectorPtr& v : vectors)
            found.push_back(Frame<F>::letters_of(space_->context().field, space_->typed(v)));
        return found;
    }

    void narrow(const std::vector<Letters>& letters) {
        std::erase_if(labels_, [&](int level) {
            const auto none = [&](const Letters& own) { return own[level] < 0; };
            return std::any_of(letters.begin(), letters.end(), none);
        });
    }

    std::string key(const Letters& letters) const {
        std::string name;
        for (const int level : labels_) name.push_back(static_cast<char>(letters[level]));
        return name;
    }

    /// Blocks by the labels of today; those that have become one are spanned anew.
    void arrange() {
        if (++merges_ > kMostMerges) labels_.clear();
        std::map<std::string, std::vector<std::size_t>> groups;
        const auto letters = labels_.empty() ? std::vector<Letters>(vectors_.size()) : listed(vectors_);
        for (std::size_t i = 0; i < vectors_.size(); ++i) groups[key(letters[i])].push_back(i);
        std::map<std::string, Block> blocks;
        for (auto& [name, members] : groups) {
            std::vector<VectorPtr> own;
            for (const std::size_t i : members) own.push_back(vectors_[i]);
            Block block{std::make_unique<Inner>(space_), std::move(members)};
            const auto fresh = block.span->add_all(own);
            if (std::find(fresh.begin(), fresh.end(), false) != fresh.end())
                throw NumericDoubt("whether states are independent depends on the order of the tests");
            blocks.emplace(name, std::move(block));
        }
        blocks_ = std::move(blocks);
    }

    std::shared_ptr<SpaceType> space_;
    std::vector<VectorPtr> vectors_;  // those that were kept
    std::vector<int> labels_;         // levels
    std::map<std::string, Block> blocks_;
    bool is_settled_ = false;  // were there enough vectors to look for labels?
    int merges_ = 0;
};

}  // namespace qismc
