#pragma once

#include "block/mpo.h"
#include "train/reduce.h"

namespace qismc {

/// Recombines the two matrices of one site.
template <class F>
void apply_local(const F& f, Site<typename F::Scalar>& site, const Local<typename F::Scalar>& w) {
    using S = typename F::Scalar;
    S *a = site.row(0, 0), *b = site.row(1, 0);
    const std::size_t n = site.nodes();
    if (f.is_zero(w[1]) && f.is_zero(w[2])) {
        for (std::size_t i = 0; w[0] != f.one() && i < n; ++i) a[i] = f.mul(w[0], a[i]);
        for (std::size_t i = 0; w[3] != f.one() && i < n; ++i) b[i] = f.mul(w[3], b[i]);
        return;
    }
    for (std::size_t i = 0; i < n; ++i) {
        const S x = a[i], y = b[i];
        a[i] = f.dot2(w[0], x, w[1], y);
        b[i] = f.dot2(w[2], x, w[3], y);
    }
}

/// Whether the map sends every state of the site's level to 0.
template <class F>
bool annihilates(const F& f, const Local<typename F::Scalar>& map, const Site<typename F::Scalar>& site) {
    const auto *a = site.row(0, 0), *b = site.row(1, 0);
    for (std::size_t i = 0; i < site.nodes(); ++i) {
        for (int y = 0; y < 2; ++y) {
            if (!f.is_zero(f.dot2(map[2 * y], a[i], map[2 * y + 1], b[i]))) return false;
        }
    }
    return true;
}

/// The c with (map on the site) = c (base on the site), if there is one; both maps are invertible.
template <class F, class S = typename F::Scalar>
std::optional<S> ratio(Context<F>& context, const Local<S>& map, const Local<S>& base, const Site<S>& site) {
    const F& f = context.field;
    if (map == base) return f.one();
    const S *a = site.row(0, 0), *b = site.row(1, 0);
    std::optional<S> found;
    for (std::size_t i = 0; i < site.nodes(); ++i) {
        if (f.is_zero(a[i]) && f.is_zero(b[i])) continue;
        for (int y = 0; y < 2; ++y) {
            const S image = f.dot2(map[2 * y], a[i], map[2 * y + 1], b[i]);
            const S other = f.dot2(base[2 * y], a[i], base[2 * y + 1], b[i]);
            if (f.is_zero(image) != f.is_zero(other)) return std::nullopt;
            if (f.is_zero(other)) continue;
            if (!found) found = image == other ? f.one() : quotient(context, image, other);
            if (!(image == f.mul(*found, other))) return std::nullopt;
        }
    }
    return found ? found : f.one();
}

/// Exchanges two levels without arithmetic, if no bond ties them to others; whether it did.
template <class F>
bool exchange_alone(const F& f, Train<F>& train, int a, int b) {
    if (!train.is_alone(a) || !train.is_alone(b)) return false;
    const int centre = train.centre, other = a + b - centre;
    train.exchange(a, b);
    if constexpr (!F::exact) {  // the length of the vector stays at the centre
        if (centre != a && centre != b) return true;
        const double length = norm(train.site(other).stacked);
        if (length == 0) return true;
        for (auto& x : train.edit(other).stacked.data) x = f.mul(x, 1 / length);
        for (auto& x : train.edit(centre).stacked.data) x = f.mul(x, length);
    }
    return true;
}

/// A map of one level; singular ones are followed by reductions as far as ranks drop.
template <class F>
void apply_one_site(Context<F>& context, Train<F>& train, int level, const Local<typename F::Scalar>& map,
                    bool keeps_ranks) {
    if (!keeps_ranks) centre_within(context, train, level, level);
    context.watch.work(4 * train.site(level).nodes());
    apply_local(context.field, train.edit(level), map);
    if (!keeps_ranks) reduce(context, train, level, level, true);
}

namespace detail {

/// What the sites so far hand on to the next one: a matrix, or the identity where all of them stayed.
template <class S>
struct Carry {
    int rows;
    bool same = true;
    Matrix<S> matrix{};
};

/// The carry (s x channels * left) times the site, for every channel a and letter x: s rows from
/// (2 a + x) s on.
template <class F>
Matrix<typename F::Scalar> carried(const F& f, const Carry<typename F::Scalar>& carry, int channels,
                                   const Site<typename F::Scalar>& site) {
    Matrix<typename F::Scalar> products(2 * channels * carry.rows, site.right());
    for (int a = 0; a < channels; ++a) {
        for (int x = 0; x < 2; ++x) {
            auto* out = products.row((2 * a + x) * carry.rows);
            if (carry.same) {
                const auto* rows = site.row(x, 0);
                std::copy(rows, rows + site.nodes(), out + a * site.nodes());
                continue;
            }
            const auto rows = rows_of(carry.matrix);
            multiply<F>(f, {rows.data + a * site.left, rows.stride}, site.of(x), {out, site.of(x).stride},
                        carry.rows, site.left, site.right());
        }
    }
    return products;
}

/// out[y, b] += sum over x of map[y][x] * products[a, x], for one channel a -> b.
template <class F>
void add_channel(const F& f, const Channel<typename F::Scalar>& channel,
                 const Matrix<typename F::Scalar>& products, Site<typename F::Scalar>& out) {
    for (int y = 0; y < 2; ++y) {
        for (int x = 0; x < 2; ++x) {
            const auto weight = channel.map[2 * y + x];
            if (f.is_zero(weight)) continue;
            const auto* from = products.row((2 * channel.from + x) * out.left);
            for (int i = 0; i < out.left; ++i, from += products.cols) {
                add_scaled(f, weight, from, out.row(y, i) + channel.to * products.cols, products.cols);
            }
        }
    }
}

}  // namespace detail

/// Applies an operator train to sites lo..hi: one pass to the right that forms and reduces the widened sites,
/// then one to the left.
template <class F>
void apply_mpo(Context<F>& context, Train<F>& train, const Mpo<F>& mpo) {
    using S = typename F::Scalar;
    const F& f = context.field;
    centre_within(context, train, mpo.lo, mpo.hi);
    detail::Carry<S> carry{train.site(mpo.lo).left};
    for (int k = mpo.lo; k <= mpo.hi; ++k) {
        const MpoSite<S>& w = mpo.sites[k - mpo.lo];
        const std::size_t rows = carry.rows, inner = w.left * train.site(k).left;
        const int width = w.right * train.site(k).right();
        context.watch.claim(train.bytes() + 4 * sizeof(S) * rows * width);
        context.watch.work(rows * inner * width);
        Site<S> site(carry.rows, width);
        const auto products = detail::carried(f, carry, w.left, train.site(k));
        for (const auto& channel : w.channels) detail::add_channel(f, channel, products, site);
        Factors<S> parts;
        parts.same = true;
        if (k < mpo.hi) parts = split_columns(context, site.stacked, false);
        if (parts.same) {
            carry = {width};
        } else {
            site.stacked = std::move(parts.left);
            carry = {parts.right.rows, false, std::move(parts.right)};
        }
        train.replace(k, std::move(site));
    }
    train.centre = mpo.hi;
    reduce(context, train, mpo.lo, mpo.hi, !mpo.keeps_ranks);
}

}  // namespace qismc
