#pragma once

#include <unordered_map>

#include "dense/dense.h"
#include "space/points.h"
#include "terms/terms.h"
#include "train/build.h"

namespace qismc {

namespace detail {

/// Is nothing but rounding left of the vectors that start in this way?
template <class F, class S = typename F::Scalar>
bool is_negligible(const F& f, const S* row, int count, double noise) {
    if constexpr (F::exact) {
        return std::all_of(row, row + count, [&](S x) { return f.is_zero(x); });
    } else {
        double size = 0;
        for (int j = 0; j < count; ++j) size += std::norm(row[j]);
        return size <= noise;
    }
}

/// The squared length that a part of a train may have and be dropped, so that all parts together are small.
template <class F>
double noise_of(const Train<F>& train, std::size_t most) {
    if constexpr (F::exact) {
        return 0;
    } else {
        const double length = norm(train.site(train.centre).stacked);
        return kTruncation * kTruncation * length * length / static_cast<double>(most);
    }
}

}  // namespace detail

namespace detail {

/// row * A[x] for both letters.
template <class F, class S = typename F::Scalar>
void extend_row(const F& f, const S* row, const Site<S>& site, std::vector<S> (&longer)[2]) {
    for (int x = 0; x < 2; ++x) {
        longer[x].resize(site.right());
        combine_rows(f, row, site.left, site.row(x, 0), site.right(), site.right(), longer[x].data());
    }
}

/// An estimate of the number of terms that is right on average (Knuth's): the product of the numbers of
/// letters that a word chosen at random could have gone on with.
template <class F>
double estimated_terms(Context<F>& context, const Train<F>& train, double noise) {
    using S = typename F::Scalar;
    constexpr Word kWords = 4;
    double sum = 0;
    for (Word word = 0; word < kWords; ++word) {
        double count = 1;
        std::vector<S> row{context.field.one()}, longer[2];
        for (int k = 0; k < train.levels(); ++k) {
            const Site<S>& site = train.site(k);
            context.watch.work(2 * site.nodes());
            extend_row(context.field, row.data(), site, longer);
            const bool none[2] = {is_negligible(context.field, longer[0].data(), site.right(), noise),
                                  is_negligible(context.field, longer[1].data(), site.right(), noise)};
            if (none[0] && none[1]) count = 0;
            const bool either = !none[0] && !none[1];
            if (either) count *= 2;
            const Word draw = PointStream(train.nodes(), word, static_cast<Word>(k))();
            row = longer[either ? draw & 1 : none[0]];
        }
        sum += count;
    }
    return sum / kWords;
}

inline constexpr double kDoubtful = 4;  // an estimate that is larger by so much leaves no hope

}  // namespace detail

/// The terms of a train, if there are at most `most` and listing them takes few operations. Beginnings of
/// words only become more from level to level, since bonds are minimal: too many end the search at once.
template <class F>
std::optional<Terms<F>> few_terms(Context<F>& context, Train<F> train, std::size_t most,
                                  std::size_t operations) {
    using S = typename F::Scalar;
    if (train.levels() > kMostTermLevels || most == 0) return std::nullopt;
    centre_within(context, train, 0, 0);  // rows of what follows are orthonormal: lengths can be seen
    const double noise = detail::noise_of(train, most);
    const double estimate = detail::estimated_terms(context, train, noise);
    if (estimate > detail::kDoubtful * static_cast<double>(most)) return std::nullopt;
    Terms<F> found{train.levels(), {0}, {}};
    std::vector<S> rows{context.field.one()};
    std::size_t spent = 0;
    for (int k = 0; k < train.levels(); ++k) {
        const Site<S>& site = train.site(k);
        const std::size_t cost = 2 * found.size() * site.nodes();
        if ((spent += cost) > operations) return std::nullopt;
        context.watch.work(cost);
        std::vector<Word> words;
        std::vector<S> next, longer[2];
        for (std::size_t i = 0; i < found.size(); ++i) {
            detail::extend_row(context.field, rows.data() + i * site.left, site, longer);
            for (int x = 0; x < 2; ++x) {
                if (detail::is_negligible(context.field, longer[x].data(), site.right(), noise)) continue;
                words.push_back(found.words[i] << 1 | static_cast<Word>(x));
                next.insert(next.end(), longer[x].begin(), longer[x].end());
            }
        }
        if (words.size() > most) return std::nullopt;
        found.words = std::move(words);
        rows = std::move(next);
    }
    found.amplitudes = std::move(rows);
    return found;
}

/// All amplitudes of a list of terms.
template <class F>
Dense<F> scattered(const F& f, const Terms<F>& terms) {
    Dense<F> array{terms.levels, std::vector<typename F::Scalar>(std::size_t{1} << terms.levels, f.zero())};
    for (std::size_t i = 0; i < terms.size(); ++i) array.amplitudes[terms.words[i]] = terms.amplitudes[i];
    return array;
}

/// Sum over the words that both lists have of u(x) v(x), with u conjugated on demand.
template <class F>
typename F::Scalar pair_up(const F& f, const Terms<F>& u, const Terms<F>& v, bool conjugate) {
    if (u.size() > v.size() && !conjugate) return pair_up(f, v, u, conjugate);
    std::unordered_map<Word, std::size_t> places;
    for (std::size_t i = 0; i < u.size(); ++i) places.emplace(u.words[i], i);
    auto sum = f.start();
    for (std::size_t j = 0; j < v.size(); ++j) {
        const auto found = places.find(v.words[j]);
        if (found == places.end()) continue;
        const auto x = u.amplitudes[found->second];
        sum = f.accumulate(sum, conjugate ? f.conj(x) : x, v.amplitudes[j]);
    }
    return f.finish(sum);
}

/// The minimal train of a list of terms: as that of a list of amplitudes, with columns for the endings of
/// words that occur.
template <class F>
Train<F> train_of_terms(Context<F>& context, const Terms<F>& terms) {
    using S = typename F::Scalar;
    std::vector<std::size_t> order(terms.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return terms.words[a] < terms.words[b]; });
    std::vector<Word> endings;
    Matrix<S> rest(1, static_cast<int>(std::max<std::size_t>(1, terms.size())));
    for (std::size_t i = 0; i < order.size(); ++i) {
        endings.push_back(terms.words[order[i]]);
        rest(0, static_cast<int>(i)) = terms.amplitudes[order[i]];
    }
    if (endings.empty()) endings.push_back(0);
    std::vector<Site<S>> sites;
    for (int k = 0; k < terms.levels; ++k) {
        const Word bit = terms.bit(k);
        const auto middle = std::lower_bound(endings.begin(), endings.end(), bit);
        std::vector<Word> shorter(endings.begin(), middle);
        for (auto it = middle; it != endings.end(); ++it) shorter.push_back(*it ^ bit);
        std::inplace_merge(shorter.begin(), shorter.begin() + (middle - endings.begin()), shorter.end());
        shorter.erase(std::unique(shorter.begin(), shorter.end()), shorter.end());
        Site<S> site(rest.rows, static_cast<int>(shorter.size()));
        for (std::size_t j = 0; j < endings.size(); ++j) {
            const int x = (endings[j] & bit) != 0;
            const auto place = std::lower_bound(shorter.begin(), shorter.end(), endings[j] & ~bit);
            const auto column = static_cast<int>(place - shorter.begin());
            for (int i = 0; i < rest.rows; ++i) site.row(x, i)[column] = rest(i, static_cast<int>(j));
        }
        if (k + 1 < terms.levels) rest = split_off(context, site);
        sites.push_back(std::move(site));
        endings = std::move(shorter);
    }
    Train<F> train(std::move(sites));
    reduce_all(context, train);
    return train;
}

}  // namespace qismc
