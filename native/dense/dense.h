#pragma once

#include <optional>
#include <utility>

#include "block/gate.h"

namespace qismc {

/// All 2^n amplitudes in one array, level 0 being the most significant bit of the index.
template <class F>
struct Dense {
    using S = typename F::Scalar;
    int levels = 0;
    std::vector<S> amplitudes;

    std::size_t bytes() const { return amplitudes.size() * sizeof(S); }
    std::size_t bit(int level) const { return std::size_t{1} << (levels - 1 - level); }
};

namespace detail {

/// Calls visit(index, length) for the runs of indices whose bits in `mask` are 0; the run's low bits are
/// free.
template <class Visit>
void for_each_run(std::size_t size, std::size_t mask, Visit visit) {
    const std::size_t run = mask == 0 ? size : mask & (~mask + 1);
    // Counting through the free bits above the run: set the others, so that the carry passes over them.
    const std::size_t skip = mask | (run - 1);
    for (std::size_t index = 0; index < size; index = ((index | skip) + 1) & ~skip) visit(index, run);
}

/// Calls change(x) for the amplitudes whose bits in `mask` are those of `match`.
template <class S, class Change>
void for_each_entry(std::vector<S>& amplitudes, std::size_t mask, std::size_t match, Change change) {
    S* a = amplitudes.data() + match;
    for_each_run(amplitudes.size(), mask, [=](std::size_t index, std::size_t run) {
        for (std::size_t r = 0; r < run; ++r) change(a[index + r]);
    });
}

/// Multiplies the amplitudes whose bits in `mask` are those of `match` by w.
template <class F, class S = typename F::Scalar>
void multiply(const F& f, std::vector<S>& amplitudes, std::size_t mask, std::size_t match, S w) {
    if (w == f.one()) return;
    if (w == f.neg(f.one())) {
        for_each_entry(amplitudes, mask, match, [&f](S& x) { x = f.neg(x); });
    } else {
        for_each_entry(amplitudes, mask, match, [&f, w](S& x) { x = f.mul(x, w); });
    }
}

/// Calls change(x, y) for the pairs of amplitudes that differ in the bit `target` alone and match the
/// controls.
template <class S, class Change>
void for_each_pair(std::vector<S>& amplitudes, std::size_t mask, std::size_t match, std::size_t target,
                   Change change) {
    S* a = amplitudes.data() + match;
    for_each_run(amplitudes.size(), mask, [=](std::size_t index, std::size_t run) {
        for (std::size_t r = 0; r < run; ++r) change(a[index + r], a[index + r + target]);
    });
}

/// A map of one level: by its shape, so that the inner loops have no choice left.
template <class F, class S = typename F::Scalar>
void apply_pairs(const F& f, std::vector<S>& amplitudes, std::size_t mask, std::size_t match,
                 std::size_t target, const Local<S>& w) {
    if (f.is_zero(w[1]) && f.is_zero(w[2])) {
        multiply(f, amplitudes, mask, match, w[0]);
        multiply(f, amplitudes, mask, match | target, w[3]);
    } else if (f.is_zero(w[0]) && f.is_zero(w[3])) {
        for_each_pair(amplitudes, mask, match, target, [](S& x, S& y) { std::swap(x, y); });
        multiply(f, amplitudes, mask, match, w[1]);
        multiply(f, amplitudes, mask, match | target, w[2]);
    } else if (w[0] == w[1] && w[0] == w[2] && w[3] == f.neg(w[0])) {  // Hadamard: two products, not four
        for_each_pair(amplitudes, mask, match, target, [&f, h = w[0]](S& x, S& y) {
            const S sum = f.add(x, y), difference = f.sub(x, y);
            x = f.mul(h, sum);
            y = f.mul(h, difference);
        });
    } else {
        for_each_pair(amplitudes, mask, match, target, [&f, w](S& x, S& y) {
            const S a = x, b = y;
            x = f.dot2(w[0], a, w[1], b);
            y = f.dot2(w[2], a, w[3], b);
        });
    }
}

/// Exchanges two levels, where the controls match.
template <class S>
void swap_levels(std::vector<S>& amplitudes, std::size_t mask, std::size_t match, std::size_t a,
                 std::size_t b) {
    S* first = amplitudes.data() + match;
    for_each_run(amplitudes.size(), mask, [=](std::size_t index, std::size_t run) {
        std::swap_ranges(first + (index | a), first + (index | a) + run, first + (index | b));
    });
}

/// A matrix on several targets: gathers, multiplies and scatters 2^t amplitudes at a time.
template <class F, class S = typename F::Scalar>
void apply_many(const F& f, S* base, std::size_t run, const Matrix<S>& m,
                const std::vector<std::size_t>& offsets, std::vector<S>& in, std::vector<S>& out) {
    for (std::size_t r = 0; r < run; ++r) {
        bool zero = true;
        for (int x = 0; x < m.cols; ++x) {
            in[x] = base[r + offsets[x]];
            zero = zero && f.is_zero(in[x]);
        }
        if (zero) continue;
        for (int y = 0; y < m.rows; ++y) {
            auto sum = f.start();
            for (int x = 0; x < m.cols; ++x) {
                if (!f.is_zero(m(y, x))) sum = f.accumulate(sum, m(y, x), in[x]);
            }
            out[y] = f.finish(sum);
        }
        for (int y = 0; y < m.rows; ++y) base[r + offsets[y]] = out[y];
    }
}

}  // namespace detail

namespace detail {

/// Bits of an index: those that are looked at, and the values that they must have.
struct Pattern {
    std::size_t mask = 0, match = 0;

    void add(std::size_t bit, bool value) {
        mask |= bit;
        if (value) match |= bit;
    }
};

/// The operator on the levels with the given bits, at the indices that match the controls.
template <class F, class S = typename F::Scalar>
void apply_operator(const F& f, std::vector<S>& amplitudes, const Operator<F>& op, Pattern controls,
                    const Few<std::size_t, 2>& bits) {
    auto [mask, match] = controls;
    for (const std::size_t bit : bits) mask |= bit;
    if (bits.size() == 1) return apply_pairs(f, amplitudes, mask, match, bits[0], op.local());
    if (op.is_swap) return swap_levels(amplitudes, mask, match, bits[0], bits[1]);
    std::vector<std::size_t> offsets(op.m.cols, 0);
    for (std::size_t x = 0; x < offsets.size(); ++x) {
        for (std::size_t j = 0; j < bits.size(); ++j) {
            if (x >> j & 1) offsets[x] |= bits[j];
        }
    }
    if (op.is_diagonal) {
        for (std::size_t x = 0; x < offsets.size(); ++x) {
            const int entry = static_cast<int>(x);
            multiply(f, amplitudes, mask, match | offsets[x], op.m(entry, entry));
        }
        return;
    }
    std::vector<S> in(offsets.size()), out(offsets.size());
    for_each_run(amplitudes.size(), mask, [&, match = match](std::size_t index, std::size_t run) {
        apply_many(f, amplitudes.data() + (index | match), run, op.m, offsets, in, out);
    });
}

}  // namespace detail

/// The amplitudes that a gate changes, about.
template <class F>
std::size_t touched(const Dense<F>& v, const Gate<F>& gate) {
    return v.amplitudes.size() >> gate.controls.size();
}

/// Applies one gate in place.
template <class F>
void apply_dense(Context<F>& context, Dense<F>& v, const Gate<F>& gate) {
    detail::Pattern controls;
    Few<std::size_t, 2> bits;
    for (const Control& c : gate.controls) controls.add(v.bit(c.level), c.value != 0);
    for (const int t : gate.targets) bits.push_back(v.bit(t));
    context.watch.work(touched(v, gate));
    detail::apply_operator(context.field, v.amplitudes, *gate.op, controls, bits);
}

namespace detail {

/// out(y) = w0 in(0 y) + w1 in(1 y), the sum over the level whose bit is given; `out` may be `in`.
template <class F, class S = typename F::Scalar>
void fold(const F& f, const S* in, std::size_t size, std::size_t bit, const std::pair<S, S>& weights,
          S* out) {
    const auto [w0, w1] = weights;
    const bool plain = w0 == f.one();
    for (std::size_t begin = 0; begin < size; begin += 2 * bit, in += 2 * bit, out += bit) {
        for (std::size_t r = 0; r < bit; ++r)
            out[r] = plain ? f.add(in[r], f.mul(w1, in[r + bit])) : f.dot2(w0, in[r], w1, in[r + bit]);
    }
}

}  // namespace detail

/// The value of a product functional on some of the levels: at(k) gives the pair of weights of level k, or
/// nothing if the level stays.
template <class F, class Weights>
Dense<F> partly_evaluated(const F& f, const Dense<F>& v, Weights at) {
    Dense<F> rest{v.levels, {}};
    const typename F::Scalar* from = v.amplitudes.data();
    std::size_t size = v.amplitudes.size();
    for (int k = 0, level = 0; k < v.levels; ++k) {
        const std::optional<std::pair<typename F::Scalar, typename F::Scalar>> weights = at(k);
        if (!weights) {
            ++level;
            continue;
        }
        if (rest.amplitudes.empty()) rest.amplitudes.resize(size / 2);
        detail::fold(f, from, size, rest.bit(level), *weights, rest.amplitudes.data());
        from = rest.amplitudes.data();
        size /= 2;
        --rest.levels;
    }
    if (rest.amplitudes.empty()) return v;
    rest.amplitudes.resize(size);
    return rest;
}

/// The value at a product functional, weights(k) giving the pair of level k.
template <class F, class Weights>
typename F::Scalar evaluate(const F& f, const Dense<F>& v, Weights weights) {
    return partly_evaluated(f, v, [&](int k) { return std::optional(weights(k)); }).amplitudes[0];
}

/// Sum over x of u(x) v(x), with u conjugated on demand.
template <class F>
typename F::Scalar pair_up(const F& f, const Dense<F>& u, const Dense<F>& v, bool conjugate) {
    auto sum = f.start();
    for (std::size_t i = 0; i < u.amplitudes.size();) {
        const std::size_t end = std::min(u.amplitudes.size(), i + F::pile_steps);
        for (; i < end; ++i)
            sum = f.pile(sum, conjugate ? f.conj(u.amplitudes[i]) : u.amplitudes[i], v.amplitudes[i]);
        sum = f.settle(sum);
    }
    return f.finish(sum);
}

/// Sums the levels of `bra` away; place[k] is the level of bra that level k meets, or -1 if it stays; levels
/// that meet the bra's do so in order.
template <class F>
Dense<F> contract_dense(const F& f, const Dense<F>& v, const std::vector<int>& place, const Dense<F>& bra) {
    std::size_t kept = 0;
    for (int k = 0; k < v.levels; ++k) kept |= place[k] < 0 ? v.bit(k) : 0;
    const std::size_t met = ~kept & (v.amplitudes.size() - 1);
    const auto next = [](std::size_t index, std::size_t mask) { return ((index | ~mask) + 1) & mask; };
    Dense<F> out{v.levels - bra.levels, {}};
    std::vector<typename F::Sum> sums(std::size_t{1} << out.levels, f.start());
    std::size_t y = 0;
    for (const typename F::Scalar& weight : bra.amplitudes) {
        std::size_t x = 0;
        if (!f.is_zero(weight)) {
            for (auto& sum : sums) {
                sum = f.accumulate(sum, weight, v.amplitudes[x | y]);
                x = next(x, kept);
            }
        }
        y = next(y, met);
    }
    out.amplitudes.reserve(sums.size());
    for (const auto& sum : sums) out.amplitudes.push_back(f.finish(sum));
    return out;
}

}  // namespace qismc
