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

template <class F, class S = typename F::Scalar>
void apply_diagonal(const F& f, S* a, std::size_t n, S w) {
    if (w == f.one()) return;
    if (w == f.neg(f.one())) {
        for (std::size_t i = 0; i < n; ++i) a[i] = f.neg(a[i]);
        return;
    }
    for (std::size_t i = 0; i < n; ++i) a[i] = f.mul(a[i], w);
}

template <class F, class S = typename F::Scalar>
void apply_pair(const F& f, S* a, S* b, std::size_t n, const Local<S>& w) {
    if (f.is_zero(w[1]) && f.is_zero(w[2])) {
        apply_diagonal(f, a, n, w[0]);
        apply_diagonal(f, b, n, w[3]);
    } else if (f.is_zero(w[0]) && f.is_zero(w[3])) {
        std::swap_ranges(a, a + n, b);
        apply_diagonal(f, a, n, w[1]);
        apply_diagonal(f, b, n, w[2]);
    } else if (w[0] == w[1] && w[0] == w[2] && w[3] == f.neg(w[0])) {  // Hadamard: two products, not four
        for (std::size_t i = 0; i < n; ++i) {
            const S x = a[i], y = b[i];
            a[i] = f.mul(w[0], f.add(x, y));
            b[i] = f.mul(w[0], f.sub(x, y));
        }
    } else {
        for (std::size_t i = 0; i < n; ++i) {
            const S x = a[i], y = b[i];
            a[i] = f.finish(f.accumulate(f.accumulate(f.start(), w[0], x), w[1], y));
            b[i] = f.finish(f.accumulate(f.accumulate(f.start(), w[2], x), w[3], y));
        }
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
    S* a = v.amplitudes.data();
    if (gate.targets.size() == 1) {
        const std::size_t target = v.bit(gate.targets[0]);
        const Local<S> map = gate.op->local();
        detail::for_each_run(v.amplitudes.size(), mask, [&](std::size_t index, std::size_t run) {
            context.watch.work(2 * run);
            detail::apply_pair(f, a + (index | match), a + (index | match | target), run, map);
        });
        return;
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
        detail::apply_many(f, a + (index | match), run, gate.op->m, offsets, in, out);
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
