#pragma once

#include <map>
#include <set>

#include "block/mpo.h"

namespace qismc {

/// A run of gates under one control, on levels apart from each other: P (x) U_1 (x) U_2 … + (1 - P), where P
/// projects to the control's value. As one operator train it passes the levels in between once.
template <class F>
class Sheaf {
  public:
    using S = typename F::Scalar;

    explicit Sheaf(const Control& control) : control_(control) {}

    /// Takes the gate in if it is under the same control and reaches over no level that another one reaches
    /// over; whether it did.
    bool absorb(const Gate<F>& gate) {
        if (gate.controls.size() != 1 || !gate.op->keeps_ranks) return false;
        const Control& control = gate.controls[0];
        if (control.level != control_.level || control.value != control_.value) return false;
        const auto [low, high] = std::minmax_element(gate.targets.begin(), gate.targets.end());
        if (!is_free(*low, *high)) return false;
        gates_.emplace(*low, Reach{*high, gate});
        touched_.insert(gate.targets.begin(), gate.targets.end());
        return true;
    }

    bool touches(int level) const { return level == control_.level || touched_.contains(level); }

    Mpo<F> mpo(Context<F>& context) const {
        Mpo<F> out;
        out.lo = std::min(control_.level, gates_.begin()->first);
        out.hi = std::max(control_.level, gates_.rbegin()->second.high);
        for (int k = out.lo; k <= out.hi;) {
            const auto found = gates_.find(k);
            if (found == gates_.end()) {
                out.sites.push_back(aside(context.field, k++));
                continue;
            }
            add_reach(context, found->second.gate, k, found->second.high, out);
            k = found->second.high + 1;
        }
        close(out.sites.front(), out.sites.back());
        return out;
    }

  private:
    struct Reach {
        int high;
        Gate<F> gate;
    };

    bool is_free(int low, int high) const {
        if (low <= control_.level && control_.level <= high) return false;
        const auto next = gates_.upper_bound(high);
        return next == gates_.begin() || std::prev(next)->second.high < low;
    }

    /// A level that no gate reaches over: the control itself, or one in between.
    MpoSite<S> aside(const F& f, int level) const {
        const bool hub = level == control_.level;
        MpoSite<S> site{2, 2, !hub, {}};
        for (int e = 0; e < 2; ++e) {
            const int value = e ? control_.value : 1 - control_.value;
            site.channels.push_back({e, e, hub ? local_projector(f, value) : local_identity(f)});
        }
        return site;
    }

    /// The sites of one gate: channel 0 leaves the levels alone, the others carry its operator.
    static void add_reach(Context<F>& context, const Gate<F>& gate, int low, int high, Mpo<F>& out) {
        const auto parts = split_operator(context, gate.op->m, gate.targets);
        const auto roles = detail::roles(Gate<F>{{}, gate.targets, gate.op}, low, high);
        int width = 1;
        for (int k = low; k <= high; ++k) {
            auto site = detail::acting_site(context.field, roles[k - low], width, parts);
            width = site.right;
            detail::add_identity_channel(context.field, site, false, false);
            out.sites.push_back(std::move(site));
        }
    }

    /// At the ends both channels begin, and are summed up.
    static void close(MpoSite<S>& first, MpoSite<S>& last) {
        first.left = last.right = 1;
        for (auto& channel : first.channels) channel.from = 0;
        for (auto& channel : last.channels) channel.to = 0;
    }

    Control control_;
    std::map<int, Reach> gates_;  // by the lowest level that each reaches over
    std::set<int> touched_;
};

}  // namespace qismc
