#pragma once

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
            x = f.finish(f.accumulate(f.accumulate(f.start(), w[0], a), w[1], b));
            y = f.finish(f.accumulate(f.accumulate(f.start(), w[2], a), w[3], b));
        });
    }
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

/// Applies one gate in place.
template <class F>
void apply_dense(Context<F>& context, Dense<F>& v, const Gate<F>& gate) {
    using S = typename F::Scalar;
    const F& f = context.field;
    std::size_t mask = 0, match = 0;
    for (const Control& c : gate.controls) {
        mask |= v.bit(c.level);
        if (c.value) match |= v.bit(c.level);
    }
    for (const int t : gate.targets) mask |= v.bit(t);
    context.watch.work(v.amplitudes.size() >> gate.controls.size());
    if (gate.targets.size() == 1) {
        return detail::apply_pairs(f, v.amplitudes, mask, match, v.bit(gate.targets[0]), gate.op->local());
    }
    std::vector<std::size_t> offsets(gate.op->m.cols, 0);
    for (std::size_t x = 0; x < offsets.size(); ++x) {
        for (std::size_t j = 0; j < gate.targets.size(); ++j) {
            if (x >> j & 1) offsets[x] |= v.bit(gate.targets[j]);
        }
    }
    std::vector<S> in(offsets.size()), out(offsets.size());
    detail::for_each_run(v.amplitudes.size(), mask, [&](std::size_t index, std::size_t run) {
        context.watch.work(run * offsets.size());
        detail::apply_many(f, v.amplitudes.data() + (index | match), run, gate.op->m, offsets, in, out);
    });
}

/// The value at a product functional, weights(k) giving the pair of level k.
template <class F, class Weights>
typename F::Scalar evaluate(const F& f, const Dense<F>& v, Weights weights) {
    std::vector<typename F::Scalar> rest = v.amplitudes;
    for (int k = v.levels - 1; k >= 0; --k) {
        const auto [w0, w1] = weights(k);
        for (std::size_t i = 0; i < rest.size() / 2; ++i) {
            rest[i] = f.finish(f.accumulate(f.accumulate(f.start(), w0, rest[2 * i]), w1, rest[2 * i + 1]));
        }
        rest.resize(rest.size() / 2);
    }
    return rest[0];
}

/// Sum over x of u(x) v(x), with u conjugated on demand.
template <class F>
typename F::Scalar pair_up(const F& f, const Dense<F>& u, const Dense<F>& v, bool conjugate) {
    auto sum = f.start();
    for (std::size_t i = 0; i < u.amplitudes.size(); ++i) {
        sum = f.accumulate(sum, conjugate ? f.conj(u.amplitudes[i]) : u.amplitudes[i], v.amplitudes[i]);
    }
    return f.finish(sum);
}

/// Sums the levels of `bra` away; place[k] is the level of bra that level k meets, or -1 if it stays.
template <class F>
Dense<F> contract_dense(const F& f, const Dense<F>& v, const std::vector<int>& place, const Dense<F>& bra) {
    Dense<F> out{v.levels - bra.levels, {}};
    out.amplitudes.resize(std::size_t{1} << out.levels, f.zero());
    for (std::size_t i = 0; i < v.amplitudes.size(); ++i) {
        if (f.is_zero(v.amplitudes[i])) continue;
        std::size_t met = 0, kept = 0;
        for (int k = 0; k < v.levels; ++k) {
            const std::size_t x = (i & v.bit(k)) != 0;
            if (place[k] < 0) {
                kept = 2 * kept + x;
            } else if (x) {
                met |= bra.bit(place[k]);
            }
        }
        out.amplitudes[kept] = f.add(out.amplitudes[kept], f.mul(bra.amplitudes[met], v.amplitudes[i]));
    }
    return out;
}

}  // namespace qismc
