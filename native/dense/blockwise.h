#pragma once

#include <bit>
#include <span>

#include "dense/dense.h"

namespace qismc {

/// How an array is cut into blocks that stay in a cache while several gates act on them.
struct BlockSizes {
    int run = 6;     ///< bits of neighbours that are always in the same block
    int block = 13;  ///< bits of a block: 128 kB of complex numbers
    int array = 17;  ///< bits of the smallest array that is worth it
};

namespace detail {

/// The bits of the index that a gate needs inside of a block: it moves amplitudes along them.
template <class F>
std::size_t moving_bits(const Dense<F>& v, const Gate<F>& gate) {
    std::size_t bits = 0;
    if (gate.op->is_diagonal) return bits;
    for (const int t : gate.targets) bits |= v.bit(t);
    return bits;
}

/// Amplitudes whose index has given bits outside of the block.
class Tile {
  public:
    /// `inside` are the bits of the index that vary in a block, the lowest `run` bits among them.
    Tile(std::size_t inside, int run) : inside_(inside), run_(std::size_t{1} << run) {
        for (std::size_t offset = 0;;) {
            offsets_.push_back(offset);
            offset = ((offset | ~inside) + run_) & inside;
            if (offset == 0) return;
        }
    }

    std::size_t inside() const { return inside_; }
    std::size_t size() const { return offsets_.size() * run_; }

    /// Where a bit of the index is inside of a block.
    std::size_t packed(std::size_t bit) const { return std::size_t{1} << std::popcount(inside_ & (bit - 1)); }

    template <class S>
    void read(const S* array, std::vector<S>& block) const {
        S* to = block.data();
        for (const std::size_t offset : offsets_) to = std::copy_n(array + offset, run_, to);
    }

    template <class S>
    void write(const std::vector<S>& block, S* array) const {
        const S* from = block.data();
        for (const std::size_t offset : offsets_) {
            std::copy_n(from, run_, array + offset);
            from += run_;
        }
    }

  private:
    std::size_t inside_, run_;
    std::vector<std::size_t> offsets_;  // of the runs
};

/// A gate on the block whose index outside is `base`; targets may be outside where the gate is diagonal.
template <class F, class S = typename F::Scalar>
void apply_in_block(const F& f, const Dense<F>& v, const Gate<F>& gate, const Tile& tile, std::size_t base,
                    std::vector<S>& amplitudes) {
    Pattern controls;
    for (const Control& c : gate.controls) {
        const std::size_t bit = v.bit(c.level);
        if (bit & tile.inside()) {
            controls.add(tile.packed(bit), c.value != 0);
        } else if (((base & bit) != 0) != (c.value != 0)) {
            return;
        }
    }
    if (!gate.op->is_diagonal) {
        Few<std::size_t, 2> bits;
        for (const int t : gate.targets) bits.push_back(tile.packed(v.bit(t)));
        return apply_operator(f, amplitudes, *gate.op, controls, bits);
    }
    for (int x = 0; x < gate.op->m.rows; ++x) {
        Pattern entry = controls;
        bool here = true;
        for (std::size_t j = 0; j < gate.targets.size(); ++j) {
            const std::size_t bit = v.bit(gate.targets[j]);
            const bool value = x >> j & 1;
            if (bit & tile.inside()) {
                entry.add(tile.packed(bit), value);
            } else {
                here = here && ((base & bit) != 0) == value;
            }
        }
        if (here) multiply(f, amplitudes, entry.mask, entry.match, gate.op->m(x, x));
    }
}

/// Gates that all move amplitudes within the blocks.
template <class F>
void apply_group(Context<F>& context, Dense<F>& v, std::span<const Gate<F>* const> gates, const Tile& tile) {
    std::vector<typename F::Scalar> amplitudes(tile.size());
    const std::size_t size = v.amplitudes.size(), blocks = size / tile.size();
    std::size_t work = 0;
    for (const Gate<F>* gate : gates) work += touched(v, *gate) / blocks;
    for (std::size_t base = 0; base < size; base = ((base | tile.inside()) + 1) & ~tile.inside()) {
        context.watch.work(work);
        tile.read(v.amplitudes.data() + base, amplitudes);
        for (const Gate<F>* gate : gates) apply_in_block(context.field, v, *gate, tile, base, amplitudes);
        tile.write(amplitudes, v.amplitudes.data() + base);
    }
}

}  // namespace detail

/// Applies gates in place: as many at a time as move amplitudes within blocks only, block by block.
template <class F>
void apply_blockwise(Context<F>& context, Dense<F>& v, std::span<const Gate<F>* const> gates,
                     const BlockSizes& sizes = {}) {
    constexpr std::size_t kFewest = 3;  // gates that are worth reading and writing the array once more
    const std::size_t low = (std::size_t{1} << sizes.run) - 1;
    while (!gates.empty()) {
        std::size_t inside = low, count = 0;
        for (; count < gates.size(); ++count) {
            const std::size_t more = inside | detail::moving_bits(v, *gates[count]);
            if (std::popcount(more) > sizes.block) break;
            inside = more;
        }
        if (count < kFewest || v.levels < sizes.array) {
            apply_dense(context, v, *gates[0]);
            gates = gates.subspan(1);
        } else {
            detail::apply_group(context, v, gates.first(count), detail::Tile(inside, sizes.run));
            gates = gates.subspan(count);
        }
    }
}

}  // namespace qismc
