#pragma once

#include <cmath>
#include <span>

#include "block/plan.h"
#include "dense/blockwise.h"
#include "space/space.h"
#include "train/apply.h"

namespace qismc {

/// Runs plans on a vector, which turns from a train into a dense array when its bonds stop paying off, and
/// into a list of terms and back where it has few of them.
template <class F>
class Execution {
  public:
    using S = typename F::Scalar;
    using State = typename VectorOf<F>::State;

    Execution(Context<F>& context, const Settings& settings, Statistics& statistics, State state)
        : context_(context), settings_(settings), statistics_(statistics), state_(std::move(state)) {}

    void run(const std::vector<Step<F>>& plan) {
        for (std::size_t k = 0; k < plan.size(); ++k) {
            const Step<F>& step = plan[k];
            if (auto* array = std::get_if<Dense<F>>(&state_))
                return run_dense(*array, std::span(plan).subspan(k));
            context_.watch.work(kStepWork);
            if (auto* train = std::get_if<Train<F>>(&state_)) {
                const std::size_t before = context_.watch.total();
                if (!attempt(*train, step))
                    return run_dense(std::get<Dense<F>>(state_), std::span(plan).subspan(k));
                const std::size_t spent = context_.watch.total() - before;
                note_work(spent, step.gates.size());
                settle();
                look_for_terms(spent + kStepWork);
            } else {
                step_terms(std::get<Terms<F>>(state_), step);
            }
        }
    }

    State finish() { return std::move(state_); }

    /// Whether a train over so many levels with so many nodes is better kept as an array.
    static bool prefers_dense(const Settings& settings, std::size_t nodes) {
        if (settings.levels > settings.dense_limit) return false;
        return static_cast<double>(nodes) >
               settings.dense_fraction * static_cast<double>(Word{1} << settings.levels);
    }

    /// Takes note of the train's size and expands it if an array is better.
    void settle() {
        const auto& train = std::get<Train<F>>(state_);
        statistics_.peak_nodes = std::max(statistics_.peak_nodes, train.nodes());
        if (prefers_dense(train)) become_dense(train);
    }

  private:
    static constexpr std::size_t kStepWork = 500;  // scalar operations that the overhead of a step is worth

    static constexpr std::size_t kSlack = 2;  // a list may have so many times more terms than are affordable

    static constexpr std::size_t kThin = 16;  // an array is thin if at most this part of it is not zero

    static constexpr int kFewLevels = 12;  // with bonds of 2^6 at most no step is dear

    static constexpr double kPatience = 4;  // gates on the array that a switch may come too late

    double array_size() const { return std::ldexp(1.0, settings_.levels); }

    /// The train is given up when it has cost a few gates' worth more than the array would have and as much
    /// more as the change costs, or is too large.
    bool prefers_dense(const Train<F>& train) const {
        if (settings_.levels > settings_.dense_limit) return false;
        if (static_cast<double>(train.nodes()) > settings_.dense_fraction * array_size()) return true;
        return excess_ > kPatience * array_size() && excess_ > cheapest_meeting(train).operations;
    }

    /// A step on the train, given up where it costs more than to go on with an array; whether it was made.
    bool attempt(Train<F>& train, const Step<F>& step) {
        if (settings_.levels > settings_.dense_limit || settings_.levels <= kFewLevels ||
            step.gates[0].one_site()) {
            step_train(train, step);
            return true;
        }
        const Train<F> before = train;
        const double patience = kPatience + static_cast<double>(step.gates.size());
        try {
            const Watch::Allowance allowance(context_.watch,
                                             patience * array_size() + cheapest_meeting(before).operations);
            step_train(train, step);
            return true;
        } catch (const TooDear&) {
            become_dense(before);
            return false;
        }
    }

    void become_dense(const Train<F>& train) {
        context_.watch.claim(2 * sizeof(S) << settings_.levels);
        ++statistics_.dense_switches;
        auto announce = [this](std::size_t operations) { context_.watch.work(operations); };
        state_ = Dense<F>{settings_.levels, expand(context_.field, train, {}, announce)};
    }

    void note_work(std::size_t spent, std::size_t gates) {
        const double saved = static_cast<double>(gates) * array_size();
        excess_ = std::max(0.0, excess_ + static_cast<double>(spent) - saved);
    }

    /// After a step of a train, if it is still one.
    void look_for_terms(std::size_t spent) {
        auto* train = std::get_if<Train<F>>(&state_);
        if (train == nullptr || !train->lookout.step(spent, settings_.first_look)) return;
        Lookout lookout = train->lookout;
        auto found = few_terms(context_, *train, lookout.affordable(), lookout.allowance());
        if (found) {
            found->lookout = lookout;
            state_ = std::move(*found);
            ++statistics_.term_switches;
        } else {
            train->lookout.in_vain();
        }
    }

    void step_terms(Terms<F>& terms, const Step<F>& step) {
        for (const Gate<F>& gate : step.gates) apply_terms(context_, terms, gate);
        context_.watch.claim(terms.bytes());
        if (terms.size() <= kSlack * terms.lookout.affordable()) return;
        if (terms.was_array) {
            context_.watch.claim(sizeof(S) << settings_.levels);
            ++statistics_.dense_switches;
            state_ = scattered(context_.field, terms);
            return;
        }
        Train<F> train = train_of_terms(context_, terms);
        train.lookout = terms.lookout;
        train.lookout.in_vain();
        state_ = std::move(train);
        settle();
    }

    /// An array stays one, unless projectors leave little of it.
    void run_dense(Dense<F>& array, std::span<const Step<F>> plan) {
        std::vector<const Gate<F>*> gates;
        for (const Step<F>& step : plan) {
            context_.watch.work(kStepWork);
            for (const Gate<F>& gate : step.gates) gates.push_back(&gate);
        }
        apply_blockwise<F>(context_, array, gates);
        const auto projects = [](const Gate<F>* gate) { return !gate->op->keeps_ranks; };
        if (std::any_of(gates.begin(), gates.end(), projects)) look_for_terms(array);
    }

    /// The same for an array, of which all zeros can be seen.
    void look_for_terms(const Dense<F>& array) {
        const auto count = [this](const S& x) { return !context_.field.is_zero(x); };
        const auto& all = array.amplitudes;
        const auto terms = static_cast<std::size_t>(std::count_if(all.begin(), all.end(), count));
        if (terms * kThin > all.size() || terms > Lookout::kMostTerms) return;
        Terms<F> found{array.levels, {}, {}};
        found.was_array = true;
        found.lookout.step(all.size(), 0);  // a step on the array took as many operations
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (count(all[i])) found.add(i, all[i]);
        }
        state_ = std::move(found);
        ++statistics_.term_switches;
    }

    void step_train(Train<F>& train, const Step<F>& step) {
        if (step.fan) return step_fan(train, *step.fan);
        if (step.gates.size() > 1) return step_sheaf(train, step);
        const Gate<F>& gate = step.gates[0];
        if (exchanges(train, gate)) return;
        if (!gate.one_site()) return step_controlled(train, step);
        apply_one_site(context_, train, gate.targets[0], gate.op->local(), gate.op->keeps_ranks);
    }

    /// Parts of a star that the state decides act on single levels; what is left becomes an operator train.
    void step_fan(Train<F>& train, const Fan<F>& fan) {
        context_.watch.work(2 * fan.spokes().size());
        for (int e = 0; e < 2; ++e) {
            if (annihilates(context_.field, fan.hub()[1 - e], train.site(fan.hub_level()))) {
                for (const auto& spoke : fan.spokes()) turn(train, spoke.level, spoke.maps[e]);
                return turn(train, fan.hub_level(), fan.hub()[e]);
            }
        }
        const F& f = context_.field;
        std::vector<typename Fan<F>::Spoke> left;
        S factor = f.one();
        for (const auto& spoke : fan.spokes()) {
            if (const auto found = ratio(context_, spoke.maps[1], spoke.maps[0], train.site(spoke.level))) {
                turn(train, spoke.level, spoke.maps[0]);
                factor = f.mul(factor, *found);
            } else {
                left.push_back(spoke);
            }
        }
        if (!left.empty()) return apply(train, fan.with(f, std::move(left), factor).mpo(f));
        Local<S> map;
        for (int i = 0; i < 4; ++i) map[i] = f.add(fan.hub()[0][i], f.mul(factor, fan.hub()[1][i]));
        turn(train, fan.hub_level(), map);
    }

    /// A map that keeps all ranks, on this state at least.
    void turn(Train<F>& train, int level, const Local<S>& map) {
        if (map == local_identity(context_.field)) return;
        apply_one_site(context_, train, level, map, true);
    }

    /// Controls on levels that are in a basis state are decided at once.
    void step_controlled(Train<F>& train, const Step<F>& step) {
        const Gate<F>& gate = step.gates[0];
        Gate<F> rest{{}, gate.targets, gate.op};
        for (const Control& c : gate.controls) {
            if (never(train.site(c.level), c.value)) return;
            if (!never(train.site(c.level), 1 - c.value)) rest.controls.push_back(c);
        }
        if (rest.controls.size() == gate.controls.size()) {
            if (step.mpo) return apply(train, *step.mpo);
            return apply(train, gate_mpo(context_, gate));
        }
        if (rest.one_site()) {
            return apply_one_site(context_, train, rest.targets[0], rest.op->local(), rest.op->keeps_ranks);
        }
        if (!exchanges(train, rest)) apply(train, gate_mpo(context_, rest));
    }

    /// Gates under one control, which may be decided already.
    void step_sheaf(Train<F>& train, const Step<F>& step) {
        const Control& control = step.gates[0].controls[0];
        const auto& hub = train.site(control.level);
        if (never(hub, control.value)) return;
        if (!never(hub, 1 - control.value)) return apply(train, *step.mpo);
        for (const Gate<F>& gate : step.gates) step_controlled(train, {{gate}});
    }

    /// A swap of levels that are not entangled needs no arithmetic.
    bool exchanges(Train<F>& train, const Gate<F>& gate) {
        return gate.op->is_swap && gate.controls.empty() &&
               exchange_alone(context_.field, train, gate.targets[0], gate.targets[1]);
    }

    bool never(const Site<S>& site, int value) const {
        const S* entries = site.row(value, 0);
        return std::all_of(entries, entries + site.nodes(),
                           [this](S x) { return context_.field.is_zero(x); });
    }

    void apply(Train<F>& train, const Mpo<F>& mpo) {
        apply_mpo(context_, train, mpo);
        for (int k = mpo.lo; k < mpo.hi; ++k) {
            statistics_.peak_bond = std::max(statistics_.peak_bond, train.site(k).right());
        }
    }

    Context<F>& context_;
    const Settings& settings_;
    Statistics& statistics_;
    State state_;
    double excess_ = 0;  // operations spent on the train beyond those that an array would have taken
};

}  // namespace qismc
