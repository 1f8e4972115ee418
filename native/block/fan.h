#pragma once

#include <optional>

#include "block/mpo.h"

namespace qismc {

/// A run of gates around one level, the hub: sum over e = 0, 1 of hub[e] on the hub times spokes[k][e] on
/// every other level k. A star of any number of controlled gates is one operator train with two channels.
template <class F>
class Fan {
  public:
    using S = typename F::Scalar;

    /// A fan with the control (or, if `around_target`, the target) of this one-control gate as its hub.
    static std::optional<Fan> around(const F& f, const Gate<F>& gate, bool around_target) {
        if (gate.controls.size() != 1 || gate.targets.size() != 1 || !gate.op->keeps_ranks)
            return std::nullopt;
        Fan fan(around_target ? gate.targets[0] : gate.controls[0].level);
        const auto u = gate.op->local();
        const bool diagonal = f.is_zero(u[1]) && f.is_zero(u[2]);
        if (around_target && !diagonal) {
            if (!(compose(f, u, u) == local_identity(f))) return std::nullopt;
            fan.projectors_ = involution_projectors(f, u);
        } else {
            fan.projectors_ = {local_projector(f, 0), local_projector(f, 1)};
            fan.basis_hub_ = true;
        }
        fan.hub_ = fan.projectors_;
        if (!fan.absorb(f, gate)) return std::nullopt;
        return fan;
    }

    /// Takes the gate in if the product keeps its form; whether it did.
    bool absorb(const F& f, const Gate<F>& gate) {
        if (gate.controls.size() > 1 || gate.targets.size() != 1 || !gate.op->keeps_ranks) return false;
        const auto u = gate.op->local();
        const int target = gate.targets[0];
        if (gate.one_site()) return target == level_ ? absorb_at_hub(f, u) : absorb_at_spoke(f, target, u, u);
        const Control control = gate.controls[0];
        if (control.level == level_ && basis_hub_) {
            const auto one = local_identity(f);
            absorb_at_spoke(f, target, control.value == 0 ? u : one, control.value == 1 ? u : one);
        } else if (const auto factors = target == level_ ? eigenvalues(f, u) : std::nullopt) {
            const auto [a, b] = *factors;
            absorb_at_spoke(f, control.level, phase(f, control.value, a), phase(f, control.value, b));
        } else {
            return false;
        }
        ++entangling_;
        return true;
    }

    int entangling() const { return entangling_; }
    bool touches(int level) const {
        if (level == level_) return true;
        const auto place = std::lower_bound(spokes_.begin(), spokes_.end(), level, Spoke::before);
        return place != spokes_.end() && place->level == level;
    }

    using Pair = std::array<Local<S>, 2>;
    struct Spoke {
        int level;
        Pair maps;

        static bool before(const Spoke& spoke, int level) { return spoke.level < level; }
    };
    int hub_level() const { return level_; }
    const Pair& hub() const { return hub_; }
    /// By increasing level.
    const std::vector<Spoke>& spokes() const { return spokes_; }

    /// The same fan without spokes whose two maps differ by a factor on the state at hand: the first map has
    /// been applied there, and the factors go to the hub.
    Fan with(const F& f, std::vector<Spoke> spokes, S factor) const {
        Fan rest(level_);
        rest.hub_ = hub_;
        for (S& x : rest.hub_[1]) x = f.mul(factor, x);
        rest.spokes_ = std::move(spokes);
        return rest;
    }

    Mpo<F> mpo(const F& f) const {
        Mpo<F> out;
        out.lo = std::min(level_, spokes_.front().level);
        out.hi = std::max(level_, spokes_.back().level);
        auto spoke = spokes_.begin();
        for (int k = out.lo; k <= out.hi; ++k) {
            const bool first = k == out.lo, last = k == out.hi;
            const bool turns = spoke != spokes_.end() && spoke->level == k;
            MpoSite<S> site{first ? 1 : 2, last ? 1 : 2, k != level_ && !turns, {}};
            for (int e = 0; e < 2; ++e) {
                const auto map = k == level_ ? hub_[e] : turns ? spoke->maps[e] : local_identity(f);
                site.channels.push_back({first ? 0 : e, last ? 0 : e, map});
            }
            if (turns) ++spoke;
            out.sites.push_back(std::move(site));
        }
        return out;
    }

  private:
    explicit Fan(int level) : level_(level) {}

    /// (I + U) / 2 and (I - U) / 2, for U^2 = I.
    static Pair involution_projectors(const F& f, const Local<S>& u) {
        const S half = f.inv(f.add(f.one(), f.one()));
        const auto one = local_identity(f);
        Pair out;
        for (int i = 0; i < 4; ++i) {
            out[0][i] = f.mul(half, f.add(one[i], u[i]));
            out[1][i] = f.mul(half, f.sub(one[i], u[i]));
        }
        return out;
    }

    static Local<S> phase(const F& f, int value, S factor) {
        auto map = local_identity(f);
        map[value == 0 ? 0 : 3] = factor;
        return map;
    }

    /// The factors with U P_e = factor_e P_e for both projectors, if U is diagonal in their basis.
    std::optional<std::pair<S, S>> eigenvalues(const F& f, const Local<S>& u) const {
        if (basis_hub_) {
            if (!f.is_zero(u[1]) || !f.is_zero(u[2])) return std::nullopt;
            return std::pair{u[0], u[3]};
        }
        std::array<S, 2> factors;
        for (int e = 0; e < 2; ++e) {
            const auto& p = projectors_[e];
            const auto image = compose(f, u, p);
            const int at = f.is_zero(p[0]) ? 3 : 0;  // a projector of rank 1 has trace 1: some diagonal entry
            factors[e] = f.mul(image[at], f.inv(p[at]));
            for (int i = 0; i < 4; ++i) {
                if (!(image[i] == f.mul(factors[e], p[i]))) return std::nullopt;
            }
        }
        return std::pair{factors[0], factors[1]};
    }

    bool absorb_at_hub(const F& f, const Local<S>& u) {
        const auto factors = eigenvalues(f, u);
        if (!factors) return false;
        for (int i = 0; i < 4; ++i) {
            hub_[0][i] = f.mul(factors->first, hub_[0][i]);
            hub_[1][i] = f.mul(factors->second, hub_[1][i]);
        }
        return true;
    }

    bool absorb_at_spoke(const F& f, int level, const Local<S>& u0, const Local<S>& u1) {
        const auto place = std::lower_bound(spokes_.begin(), spokes_.end(), level, Spoke::before);
        if (place == spokes_.end() || place->level != level) {
            spokes_.insert(place, {level, {u0, u1}});
        } else {
            place->maps = {compose(f, u0, place->maps[0]), compose(f, u1, place->maps[1])};
        }
        return true;
    }

    int level_, entangling_ = 0;
    bool basis_hub_ = false;
    Pair projectors_{}, hub_{};
    std::vector<Spoke> spokes_;  // by increasing level
};

}  // namespace qismc
