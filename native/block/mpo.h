#pragma once

#include <algorithm>
#include <optional>
#include <span>

#include "block/gate.h"

namespace qismc {

/// One block of a matrix product operator's site: from channel `from` to channel `to`, a map of the level.
template <class S>
struct Channel {
    int from, to;
    Local<S> map;
};

/// One site of an operator train; `wire` sites pass every channel on and leave the level alone.
template <class S>
struct MpoSite {
    int left = 1, right = 1;
    bool wire = false;
    std::vector<Channel<S>> channels;
};

/// An operator on levels lo..hi as a train of maps.
template <class F>
struct Mpo {
    using S = typename F::Scalar;
    int lo = 0, hi = -1;
    bool keeps_ranks = true;
    std::vector<MpoSite<S>> sites;
};

namespace detail {

/// The matrix as one row of words: entry (y, x) stands at the letters (y_j, x_j), the lowest level first.
template <class S>
Matrix<S> as_words(const Matrix<S>& m, std::span<const int> targets) {
    std::vector<int> order(targets.size());
    for (std::size_t j = 0; j < order.size(); ++j) order[j] = static_cast<int>(j);
    std::sort(order.begin(), order.end(), [&](int a, int b) { return targets[a] < targets[b]; });
    Matrix<S> words(1, m.rows * m.cols);
    for (int y = 0; y < m.rows; ++y) {
        for (int x = 0; x < m.cols; ++x) {
            int word = 0;
            for (const int j : order) word = word * 4 + 2 * ((y >> j) & 1) + ((x >> j) & 1);
            words(0, word) = m(y, x);
        }
    }
    return words;
}

/// The site whose block from channel a to b is column b of the rows 4a .. 4a + 3.
template <class F, class S = typename F::Scalar>
MpoSite<S> site_of_letters(const F& f, const Matrix<S>& stacked) {
    MpoSite<S> site{stacked.rows / 4, stacked.cols, false, {}};
    for (int a = 0; a < site.left; ++a) {
        for (int b = 0; b < site.right; ++b) {
            Local<S> map;
            for (int letter = 0; letter < 4; ++letter) map[letter] = stacked(4 * a + letter, b);
            if (!all_zero(f, map)) site.channels.push_back({a, b, map});
        }
    }
    return site;
}

}  // namespace detail

/// The operator's matrix as a train over its targets in increasing order of levels, maps as 4-valued letters.
template <class F, class S = typename F::Scalar>
std::vector<MpoSite<S>> split_operator(Context<F>& context, const Matrix<S>& m,
                                       std::span<const int> targets) {
    std::vector<MpoSite<S>> sites;
    Matrix<S> rest = detail::as_words(m, targets);
    for (std::size_t j = 0; j + 1 < targets.size(); ++j) {
        rest.rows *= 4;
        rest.cols /= 4;
        Factors<S> parts = factorise(context, rest);
        sites.push_back(detail::site_of_letters(context.field, parts.left));
        rest = std::move(parts.right);
    }
    rest.rows *= 4;
    rest.cols /= 4;
    sites.push_back(detail::site_of_letters(context.field, rest));
    return sites;
}

namespace detail {

/// Where a level stands in the gate: its control value, its place among the sorted targets, or neither.
struct Role {
    int control = -1, target = -1;
};

template <class F>
std::vector<Role> roles(const Gate<F>& gate, int lo, int hi) {
    std::vector<Role> out(hi - lo + 1);
    for (const Control& c : gate.controls) out[c.level - lo].control = c.value;
    std::vector<int> sorted(gate.targets.begin(), gate.targets.end());
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t j = 0; j < sorted.size(); ++j) out[sorted[j] - lo].target = static_cast<int>(j);
    return out;
}

/// The site of the part that acts, before the identity channel is put beside it.
template <class F>
MpoSite<typename F::Scalar> acting_site(const F& f, const Role& role, int width,
                                        const std::vector<MpoSite<typename F::Scalar>>& parts) {
    if (role.target >= 0) return parts[role.target];
    MpoSite<typename F::Scalar> site{width, width, role.control < 0, {}};
    const auto map = role.control < 0 ? local_identity(f) : local_projector(f, role.control);
    for (int a = 0; a < width; ++a) site.channels.push_back({a, a, map});
    return site;
}

/// Adds a first channel that leaves everything alone: I + (the acting part).
template <class F>
void add_identity_channel(const F& f, MpoSite<typename F::Scalar>& site, bool first, bool last) {
    for (auto& channel : site.channels) {
        if (!first) ++channel.from;
        if (!last) ++channel.to;
    }
    site.channels.insert(site.channels.begin(), {0, 0, local_identity(f)});
    if (!first) ++site.left;
    if (!last) ++site.right;
}

}  // namespace detail

/// The gate I + P_controls (x) (U - I), or U itself if it has no controls, as an operator train.
template <class F>
Mpo<F> gate_mpo(Context<F>& context, const Gate<F>& gate) {
    const F& f = context.field;
    Mpo<F> mpo;
    mpo.lo = mpo.hi = gate.targets.front();
    for (const int t : gate.targets) {
        mpo.lo = std::min(mpo.lo, t);
        mpo.hi = std::max(mpo.hi, t);
    }
    for (const Control& c : gate.controls) {
        mpo.lo = std::min(mpo.lo, c.level);
        mpo.hi = std::max(mpo.hi, c.level);
    }
    mpo.keeps_ranks = gate.op->keeps_ranks;

    const bool controlled = !gate.controls.empty();
    auto matrix = gate.op->m;
    for (int i = 0; controlled && i < matrix.rows; ++i) matrix(i, i) = f.sub(matrix(i, i), f.one());
    const auto parts = split_operator(context, matrix, gate.targets);
    const auto roles = detail::roles(gate, mpo.lo, mpo.hi);
    int width = 1;
    for (int k = mpo.lo; k <= mpo.hi; ++k) {
        auto site = detail::acting_site(f, roles[k - mpo.lo], width, parts);
        width = site.right;
        if (controlled) detail::add_identity_channel(f, site, k == mpo.lo, k == mpo.hi);
        mpo.sites.push_back(std::move(site));
    }
    return mpo;
}

}  // namespace qismc
