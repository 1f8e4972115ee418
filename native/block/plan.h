#pragma once

#include "block/fan.h"
#include "block/sheaf.h"

namespace qismc {

/// One step of a plan: the gates it stands for (used on dense vectors) and their product, as a star around a
/// level or as an operator train (of one gate, or of several under one control); neither if it is a single
/// map of one level, or a gate whose operator train is made when it acts.
template <class F>
struct Step {
    std::vector<Gate<F>> gates;
    std::optional<Fan<F>> fan{};
    std::optional<Mpo<F>> mpo{};
};

/// Gates grouped for execution: maps of one level are fused, stars around a level become one operator train.
template <class F>
class Planner {
  public:
    using S = typename F::Scalar;

    /// Where a plan does not last, operator trains are left to be made when they act: most gates on basis
    /// states never need theirs.
    Planner(Context<F>& context, int levels, bool lasting = true)
        : context_(context), lasting_(lasting), pending_(levels) {}

    std::vector<Step<F>> plan(const Gate<F>* begin, const Gate<F>* end) {
        for (const Gate<F>* gate = begin; gate != end;) gate = take(gate, end);
        for (std::size_t k = 0; k < pending_.size(); ++k) flush(static_cast<int>(k));
        return std::move(steps_);
    }

  private:
    /// A star of gates: those that form it, and maps of other levels in between, which may as well come
    /// first.
    struct Star {
        Fan<F> fan;
        std::vector<const Gate<F>*> body, early;
        const Gate<F>* next;
    };

    const Gate<F>* take(const Gate<F>* gate, const Gate<F>* end) {
        if (gate->op->is_identity) return gate + 1;
        if (gate->one_site()) {
            fuse(*gate);
            return gate + 1;
        }
        auto star = best_star(gate, end);
        if (!star) {
            if (const Gate<F>* next = take_sheaf(gate, end)) return next;
            flush_levels(*gate);
            steps_.push_back(alone(*gate));
            return gate + 1;
        }
        for (const Gate<F>* g : star->early) fuse(*g);
        Step<F> step{{}, std::move(star->fan)};
        step.gates.reserve(star->body.size());
        for (const Gate<F>* g : star->body) {
            flush_levels(*g);
            step.gates.push_back(*g);
        }
        steps_.push_back(std::move(step));
        return star->next;
    }

    /// Takes the gates under one control that start here, if there are at least two and the first has several
    /// targets; where they end, or null.
    const Gate<F>* take_sheaf(const Gate<F>* gate, const Gate<F>* end) {
        if (gate->controls.size() != 1 || gate->targets.size() == 1) return nullptr;
        Sheaf<F> sheaf(gate->controls[0]);
        std::vector<Gate<F>> body;
        std::vector<const Gate<F>*> early;
        const Gate<F>* next = gate;
        for (; next != end; ++next) {
            if (next->op->is_identity) continue;
            if (next->one_site() && !sheaf.touches(next->targets[0])) {
                early.push_back(next);
            } else if (sheaf.absorb(*next)) {
                body.push_back(*next);
            } else {
                break;
            }
        }
        if (body.size() < 2) return nullptr;
        for (const Gate<F>* g : early) fuse(*g);
        for (const Gate<F>& g : body) flush_levels(g);
        steps_.push_back({std::move(body), std::nullopt, sheaf.mpo(context_)});
        return next;
    }

    Step<F> alone(const Gate<F>& gate) {
        if (auto fan = Fan<F>::around(context_.field, gate, false)) return {{gate}, std::move(*fan)};
        if (!lasting_) return {{gate}};
        return {{gate}, std::nullopt, gate_mpo(context_, gate)};
    }

    /// The larger of the two stars that start here, if it holds at least two entangling gates.
    std::optional<Star> best_star(const Gate<F>* gate, const Gate<F>* end) {
        std::optional<Star> best;
        for (const bool around_target : {false, true}) {
            auto fan = Fan<F>::around(context_.field, *gate, around_target);
            if (!fan) continue;
            Star star{std::move(*fan), {gate}, {}, gate + 1};
            while (star.next != end && extend(star)) ++star.next;
            if (star.fan.entangling() < 2) continue;
            if (!best || star.fan.entangling() > best->fan.entangling()) best = std::move(star);
        }
        return best;
    }

    bool extend(Star& star) {
        const Gate<F>& gate = *star.next;
        if (gate.op->is_identity) return true;
        if (gate.one_site() && !star.fan.touches(gate.targets[0])) {
            star.early.push_back(&gate);
            return true;
        }
        if (!star.fan.absorb(context_.field, gate)) return false;
        star.body.push_back(&gate);
        return true;
    }

    /// Delays an invertible map of one level, to be composed with the next ones; singular ones shrink bonds
    /// and are applied at once.
    void fuse(const Gate<F>& gate) {
        const int level = gate.targets[0];
        if (!gate.op->keeps_ranks) {
            flush(level);
            steps_.push_back({{gate}});
            return;
        }
        auto& slot = pending_[level];
        if (!slot) {
            slot = gate.op;
            return;
        }
        Matrix<S> fused = product(context_.field, gate.op->m, slot->m);
        slot = std::make_shared<Operator<F>>(context_, std::move(fused));
    }

    void flush(int level) {
        auto& slot = pending_[level];
        if (slot && !slot->is_identity) steps_.push_back({{Gate<F>{{}, {level}, slot}}});
        slot.reset();
    }

    void flush_levels(const Gate<F>& gate) {
        for (const Control& c : gate.controls) flush(c.level);
        for (const int t : gate.targets) flush(t);
    }

    Context<F>& context_;
    bool lasting_;
    std::vector<std::shared_ptr<const Operator<F>>> pending_;
    std::vector<Step<F>> steps_;
};

}  // namespace qismc
