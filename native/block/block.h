#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

#include "block/plan.h"

namespace qismc {

/// Gates in flat arrays: gate j has controls[controls_ptr[j] .. controls_ptr[j + 1]], targets likewise, and
/// the matrix number matrix_index[j], whose entries start at matrix_ptr[.] (in scalars), row-major.
struct FlatGates {
    std::span<const std::int32_t> controls_ptr, controls;
    std::span<const std::uint8_t> control_values;
    std::span<const std::int32_t> targets_ptr, targets, matrix_index;
    std::span<const std::int64_t> matrix_ptr;
    std::span<const Word> entries;
};

/// A compiled run of gates, whatever the field.
class Block {
  public:
    virtual ~Block() = default;
    virtual int size() const = 0;
};

/// Checks the shape of flat arrays; throws std::invalid_argument that names the gate and the offender.
void validate(const FlatGates& flat, int levels, int words_per_scalar);

template <class F>
class BlockOf : public Block {
  public:
    using S = typename F::Scalar;

    BlockOf(Context<F>& context, int levels, const FlatGates& flat)
        : levels_(levels), prime_(context.field.modulus()) {
        validate(flat, levels, F::words);
        std::vector<std::shared_ptr<const Operator<F>>> operators;
        gates_.reserve(flat.matrix_index.size());
        for (std::size_t m = 0; m + 1 < flat.matrix_ptr.size(); ++m)
            operators.push_back(load(context, flat, m));
        for (std::size_t j = 0; j < flat.matrix_index.size(); ++j) {
            add_gate(context, flat, j, operators[flat.matrix_index[j]]);
        }
    }

    int size() const override { return static_cast<int>(gates_.size()); }
    int levels() const { return levels_; }
    Word prime() const { return prime_; }

    /// The plan for gates first..last-1; that of the whole block is kept from the second time on, because
    /// most blocks of a long program run once, and plans are larger than their gates. `often` says that many
    /// vectors will run through it.
    std::shared_ptr<const std::vector<Step<F>>> plan(Context<F>& context, int first, int last,
                                                     bool often = false) {
        const bool whole = first == 0 && last == size();
        if (whole && whole_plan_) return whole_plan_;
        Planner<F> planner(context, levels_, often || (whole && planned_));
        auto plan = std::make_shared<const std::vector<Step<F>>>(
            planner.plan(gates_.data() + first, gates_.data() + last));
        if (whole && planned_) whole_plan_ = plan;
        planned_ = planned_ || whole;
        return plan;
    }

  private:
    static std::shared_ptr<const Operator<F>> load(Context<F>& context, const FlatGates& flat,
                                                   std::size_t index) {
        const auto begin = flat.matrix_ptr[index], end = flat.matrix_ptr[index + 1];
        int side = 1;
        while (static_cast<std::int64_t>(side) * side < end - begin) side *= 2;
        Matrix<S> m(side, side);
        for (std::size_t i = 0; i < m.data.size(); ++i) {
            m.data[i] =
                context.field.load(flat.entries.data() + (begin + static_cast<std::int64_t>(i)) * F::words);
        }
        return std::make_shared<Operator<F>>(context, std::move(m));
    }

    void add_gate(Context<F>& context, const FlatGates& flat, std::size_t j,
                  const std::shared_ptr<const Operator<F>>& op) {
        Gate<F> gate;
        for (int i = flat.controls_ptr[j]; i < flat.controls_ptr[j + 1]; ++i) {
            gate.controls.push_back({flat.controls[i], flat.control_values[i]});
        }
        for (int i = flat.targets_ptr[j]; i < flat.targets_ptr[j + 1]; ++i)
            gate.targets.push_back(flat.targets[i]);
        gate.op = op;
        if (gate.targets.empty()) make_factor_a_map(context, gate);
        gates_.push_back(std::move(gate));
    }

    /// A controlled factor is a diagonal map of its last control; an uncontrolled one scales any level.
    void make_factor_a_map(Context<F>& context, Gate<F>& gate) {
        const F& f = context.field;
        const S factor = gate.op->m(0, 0);
        Matrix<S> m = identity(f, 2);
        if (gate.controls.empty()) {
            m(0, 0) = m(1, 1) = factor;
            gate.targets = {0};
        } else {
            const Control last = gate.controls.back();
            m(last.value, last.value) = factor;
            gate.targets = {last.level};
            gate.controls.pop_back();
        }
        gate.op = std::make_shared<Operator<F>>(context, std::move(m));
    }

    int levels_;
    Word prime_;
    std::vector<Gate<F>> gates_;
    bool planned_ = false;  // was the whole block planned before?
    std::shared_ptr<const std::vector<Step<F>>> whole_plan_;
};

}  // namespace qismc
