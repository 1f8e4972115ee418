#pragma once

#include "space/space_of.h"

namespace qismc {

template <class F>
std::vector<int> SpaceOf<F>::places(const std::vector<int>& levels) const {
    std::vector<int> place(settings_.levels, -1);
    for (std::size_t i = 0; i < levels.size(); ++i) {
        const bool increasing = i == 0 || levels[i - 1] < levels[i];
        if (levels[i] < 0 || levels[i] >= settings_.levels || !increasing) {
            throw std::invalid_argument("levels must be increasing and in 0.." +
                                        std::to_string(settings_.levels - 1) + "; got " +
                                        std::to_string(levels[i]) + " at place " + std::to_string(i));
        }
        place[levels[i]] = static_cast<int>(i);
    }
    return place;
}

template <class F>
VectorPtr SpaceOf<F>::contract(const VectorPtr& v, const std::vector<int>& levels, const VectorPtr& bra,
                               Space& target) {
    const auto& own = typed(v);
    const auto place = places(levels);
    const int count = static_cast<int>(levels.size());
    if (count == settings_.levels) throw std::invalid_argument("no level is left: use bilinear(bra, v)");
    SpaceOf& result = target_space(target, settings_.levels - count);
    const auto* other = dynamic_cast<const VectorOf<F>*>(bra.get());
    if (other == nullptr || other->field().modulus() != context_.field.modulus() ||
        other->levels() != count) {
        throw std::invalid_argument("the bra must be over the same field and have " + std::to_string(count) +
                                    " levels");
    }
    if (own.train() && other->train()) {
        return result.settled(contract_train(context_, *own.train(), place, *other->train()));
    }
    watch_.work(std::size_t{1} << settings_.levels);
    Dense<F> own_room, other_room;
    return result.wrap(
        contract_dense(context_.field, own.as_array(own_room), place, other->as_array(other_room)));
}

template <class F>
VectorPtr SpaceOf<F>::partial(const VectorPtr& v, const std::vector<int>& kept, Space& target, Word seed) {
    if (!F::exact)
        throw std::invalid_argument("random functionals decide nothing over floating-point numbers");
    const auto keep = places(kept);
    SpaceOf& result = target_space(target, static_cast<int>(kept.size()));
    if (kept.size() == keep.size()) return v;
    if (const auto* array = typed(v).array()) {
        watch_.work(array->amplitudes.size());
        return result.wrap(partly_evaluated(context_.field, *array, [&](int k) {
            PointStream stream(seed, 0, static_cast<Word>(k));
            return keep[k] < 0 ? std::optional(std::pair{context_.field.one(), context_.field.random(stream)})
                               : std::nullopt;
        }));
    }
    if (const auto* terms = typed(v).terms()) return result.terms_part(*terms, keep, seed);
    if (kept.size() == 1) return result.wrap(level_part(typed(v), kept[0], seed));
    std::vector<int> levels;
    std::vector<S> pairs;
    for (int k = 0; k < settings_.levels; ++k) {
        if (keep[k] >= 0) continue;
        PointStream stream(seed, 0, static_cast<Word>(k));
        levels.push_back(k);
        pairs.push_back(context_.field.one());
        pairs.push_back(context_.field.random(stream));
    }
    const VectorPtr bra = wrap(product_train(context_, pairs));
    return contract(v, levels, bra, result);
}

/// A list of terms at the functional of a seed on the levels with keep[k] < 0, as a vector of this space.
template <class F>
VectorPtr SpaceOf<F>::terms_part(const Terms<F>& terms, const std::vector<int>& keep, Word seed) {
    const F& f = context_.field;
    std::vector<S> weights;
    for (int k = 0; k < terms.levels; ++k) {
        PointStream stream(seed, 0, static_cast<Word>(k));
        weights.push_back(f.random(stream));
    }
    watch_.work(terms.size() * static_cast<std::size_t>(terms.levels));
    std::unordered_map<Word, S> sums;
    for (std::size_t i = 0; i < terms.size(); ++i) {
        Word word = 0;
        S amplitude = terms.amplitudes[i];
        for (int k = 0; k < terms.levels; ++k) {
            const bool one = terms.words[i] & terms.bit(k);
            if (keep[k] >= 0) {
                word = word << 1 | static_cast<Word>(one);
            } else if (one) {
                amplitude = f.mul(weights[k], amplitude);
            }
        }
        const auto [place, fresh] = sums.emplace(word, amplitude);
        if (!fresh) place->second = f.add(place->second, amplitude);
    }
    Terms<F> found{settings_.levels, {}, {}, terms.lookout};
    for (const auto& [word, amplitude] : sums) {
        if (!f.is_zero(amplitude)) found.add(word, amplitude);
    }
    found.was_array = settings_.levels <= settings_.dense_limit;
    const bool many = found.was_array && found.size() * 4 > std::size_t{1} << settings_.levels;
    return many ? wrap(scattered(f, found)) : wrap(std::move(found));
}

/// One level of a train: questions about single qubits are asked of all of them, so that what is left and
/// right of each is worked out together.
template <class F>
Train<F> SpaceOf<F>::level_part(const VectorOf<F>& v, int level, Word seed) {
    const F& f = context_.field;
    const Site<S>& site = v.train()->site(level);
    const auto& around = surroundings(v, seed);
    const auto &row = around.rows[level], &column = around.columns[level + 1];
    watch_.work(2 * site.nodes());
    std::vector<S> pair, half(site.right());
    for (int x = 0; x < 2; ++x) {
        combine_rows(f, row.data(), site.left, site.row(x, 0), site.right(), site.right(), half.data());
        S sum = f.zero();
        for (int j = 0; j < site.right(); ++j) sum = f.add(sum, f.mul(half[j], column[j]));
        pair.push_back(sum);
    }
    return product_train(context_, pair);
}

template <class F>
const typename VectorOf<F>::Surroundings& SpaceOf<F>::surroundings(const VectorOf<F>& v, Word seed) {
    auto& known = v.surroundings();
    for (const auto& one : known) {
        if (one.seed == seed) return one;
    }
    if (known.size() == kSurroundings) known.erase(known.begin());
    const F& f = context_.field;
    const Train<F>& train = *v.train();
    const int levels = train.levels();
    watch_.work(4 * train.nodes());
    typename VectorOf<F>::Surroundings found{seed, {{f.one()}}, std::vector<std::vector<S>>(levels + 1)};
    std::vector<S> weights;
    for (int k = 0; k < levels; ++k) {
        PointStream stream(seed, 0, static_cast<Word>(k));
        weights.push_back(f.random(stream));
    }
    const auto weighted = [&](int k, S x, S y) { return f.add(x, f.mul(weights[k], y)); };
    std::vector<S> halves[2];
    for (int k = 0; k + 1 < levels; ++k) {
        detail::extend_row(f, found.rows[k].data(), train.site(k), halves);
        auto& next = found.rows.emplace_back();
        for (std::size_t j = 0; j < halves[0].size(); ++j)
            next.push_back(weighted(k, halves[0][j], halves[1][j]));
    }
    found.columns[levels] = {f.one()};
    for (int k = levels - 1; k > 0; --k) {
        const Site<S>& site = train.site(k);
        const auto dot = [&](const S* entries) {
            S sum = f.zero();
            for (int j = 0; j < site.right(); ++j)
                sum = f.add(sum, f.mul(entries[j], found.columns[k + 1][j]));
            return sum;
        };
        for (int i = 0; i < site.left; ++i)
            found.columns[k].push_back(weighted(k, dot(site.row(0, i)), dot(site.row(1, i))));
    }
    known.push_back(std::move(found));
    return known.back();
}

template <class F>
VectorPtr SpaceOf<F>::embed(const VectorPtr& v, const std::vector<int>& levels) {
    const auto place = places(levels);
    const auto* own = dynamic_cast<const VectorOf<F>*>(v.get());
    if (own == nullptr || own->field().modulus() != context_.field.modulus() ||
        own->levels() != static_cast<int>(levels.size())) {
        throw std::invalid_argument("a vector over the same numbers with " + std::to_string(levels.size()) +
                                    " levels is needed");
    }
    const Train<F> train =
        own->train() ? *own->train() : train_of_amplitudes(context_, own->array()->amplitudes, own->levels());
    return settled(embed_train(context_.field, train, place));
}

template <class F>
std::vector<std::vector<Word>> SpaceOf<F>::meet(const std::vector<VectorPtr>& a,
                                                const std::vector<VectorPtr>& b) {
    if constexpr (F::exact) {
        return sketch_meet(*this, a, b);
    } else {
        GramSpan<SpaceOf> left(this->shared_from_this()), right(this->shared_from_this());
        for (const VectorPtr& v : a) {
            if (!left.add(v)) throw std::invalid_argument("the first list of a meet is dependent");
        }
        std::vector<VectorPtr> independent;
        for (const VectorPtr& v : b) {
            if (right.add(v)) independent.push_back(v);
        }
        ComplexMatrix overlaps(static_cast<int>(a.size()), static_cast<int>(independent.size()));
        for (int i = 0; i < overlaps.rows; ++i) {
            for (int j = 0; j < overlaps.cols; ++j) {
                overlaps(i, j) = inner(a[i], independent[j]) / (norm(a[i]) * norm(independent[j]));
            }
        }
        std::vector<std::vector<Word>> basis;
        for (auto& direction : gram_meet(left.gram(), right.gram(), overlaps, settings_)) {
            for (std::size_t i = 0; i < a.size(); ++i) direction[i] /= norm(a[i]);
            basis.push_back(store(direction));
            if (settings_.measured > 0) right.contains(combine(basis.back(), a));  // in doubt if not near
        }
        return basis;
    }
}

}  // namespace qismc
