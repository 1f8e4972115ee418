#pragma once

#include "space/benches.h"
#include "space/execute.h"
#include "space/points.h"
#include "space/serialise.h"
#include "span/gram_span.h"
#include "span/labelled_span.h"
#include "span/sketch_span.h"
#include "train/build.h"
#include "train/contract.h"
#include "train/first.h"
#include "train/largest.h"

namespace qismc {

/// The space over the field F.
template <class F>
class SpaceOf final : public Space, public std::enable_shared_from_this<SpaceOf<F>> {
  public:
    using Field = F;
    using S = typename F::Scalar;
    using State = typename VectorOf<F>::State;
    using Sketches = typename VectorOf<F>::Sketches;

    explicit SpaceOf(const Settings& settings)
        : Space(settings), context_{field_of<F>(settings.prime, settings.second_prime), watch_} {
        if constexpr (!F::exact) context_.field.truncation = settings.truncation;
    }

    Context<F>& context() { return context_; }
    int words_per_scalar() const override { return F::words; }

    // ---- scalars and vectors across the border

    std::vector<S> load(const std::vector<Word>& words) const {
        std::vector<S> out(words.size() / F::words);
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = context_.field.load(words.data() + i * F::words);
        return out;
    }

    std::vector<Word> store(const std::vector<S>& scalars) const {
        std::vector<Word> out;
        append(context_.field, scalars, out);
        return out;
    }

    /// The vector as one of this space; throws std::invalid_argument if it is none.
    const VectorOf<F>& typed(const VectorPtr& v) const {
        const auto* own = dynamic_cast<const VectorOf<F>*>(v.get());
        if (own == nullptr || own->field().modulus() != context_.field.modulus()) {
            throw std::invalid_argument("the vector is not over this space's field (" + settings_.kind + ")");
        }
        if (own->levels() != settings_.levels) {
            throw std::invalid_argument("the vector has " + std::to_string(own->levels()) +
                                        " levels, the space " + std::to_string(settings_.levels));
        }
        return *own;
    }

    VectorPtr wrap(State state) { return wrap(watch_, std::move(state)); }

    VectorPtr wrap(Watch& watch, State state) {
        watch.claim(std::visit([](const auto& form) { return form.bytes(); }, state));
        return std::make_shared<VectorOf<F>>(context_.field, std::move(state), watch.ledger());
    }

    // ---- making vectors

    VectorPtr product(const std::vector<Word>& pairs) override {
        return wrap(product_train(context_, load(pairs)));
    }

    std::vector<VectorPtr> kets(const Kets& words) override;
    VectorPtr superposition(const Kets& words, const std::vector<Word>& coefficients) override;

    VectorPtr from_amplitudes(const std::vector<Word>& amplitudes) override {
        auto scalars = load(amplitudes);
        if (settings_.levels > kTrainFirst && settings_.levels <= settings_.dense_limit) {
            return wrap(Dense<F>{settings_.levels, std::move(scalars)});
        }
        return settled(train_of_amplitudes(context_, scalars, settings_.levels));
    }

    VectorPtr array(const std::vector<Word>& amplitudes) override {
        return wrap(Dense<F>{settings_.levels, load(amplitudes)});
    }

    VectorPtr combine(const std::vector<Word>& coefficients, const std::vector<VectorPtr>& vectors) override {
        const auto weights = load(coefficients);
        if (weights.size() != vectors.size() || vectors.empty()) {
            throw std::invalid_argument("a combination needs one coefficient per vector, and a vector; got " +
                                        std::to_string(weights.size()) + " and " +
                                        std::to_string(vectors.size()));
        }
        std::vector<const Train<F>*> trains;
        for (const VectorPtr& v : vectors) {
            if (const auto* train = typed(v).train()) trains.push_back(train);
        }
        if (trains.size() == vectors.size()) return settled(sum_train(context_, weights, trains));
        Dense<F> sum{settings_.levels,
                     std::vector<S>(std::size_t{1} << settings_.levels, context_.field.zero())};
        for (std::size_t i = 0; i < vectors.size(); ++i) {
            Dense<F> room;
            const Dense<F>& part = typed(vectors[i]).as_array(room);
            add_scaled(context_.field, weights[i], part.amplitudes.data(), sum.amplitudes.data(),
                       static_cast<int>(sum.amplitudes.size()));
        }
        return wrap(std::move(sum));
    }

    // ---- running gates

    std::shared_ptr<Block> compile(const FlatGates& gates) override {
        return std::make_shared<BlockOf<F>>(context_, settings_.levels, gates);
    }

    VectorPtr run(Block& block, const VectorPtr& v, int first, int last) override {
        const auto plan = checked_plan(block, first, last);
        const auto& own = typed(v);
        VectorPtr image;
        share(1, 1, owner_, [&](Bench<F>& bench, std::size_t) { image = execute(bench, plan, own); });
        return image;
    }

    std::vector<VectorPtr> run_all(Block& block, const std::vector<VectorPtr>& vectors) override {
        const auto plan = checked_plan(block, 0, -1, vectors.size() > kFew);
        std::vector<const VectorOf<F>*> own;
        std::size_t nodes = 0;
        for (const VectorPtr& v : vectors) {
            own.push_back(&typed(v));
            nodes += v->nodes();
        }
        std::vector<VectorPtr> images(vectors.size());
        share(vectors.size(), members(vectors.size(), nodes * plan.steps->size()), owner_,
              [&](Bench<F>& bench, std::size_t i) { images[i] = execute(bench, plan, *own[i]); });
        return images;
    }
    // ---- asking

    bool is_zero(const VectorPtr& v) override {
        const auto& own = typed(v);
        if constexpr (!F::exact) {
            const double length = norm(v);
            return decide_zero(length * length, settings_, "the squared norm of a vector") &&
                   (settings_.measured == 0 || decide_measured(length, settings_, "the norm of a vector"));
        } else {
            if (own.terms()) return own.terms()->size() == 0;
            if (own.train()) return all_zero(context_.field, own.train()->site(0).stacked.data);
            return all_zero(context_.field, own.array()->amplitudes);
        }
    }

    bool difference_is_zero(const VectorPtr& u, const VectorPtr& v) override {
        if constexpr (F::exact) {
            const auto &a = sketch(typed(u), kSpareSketches).values,
                       &b = sketch(typed(v), kSpareSketches).values;
            return std::equal(a.begin(), a.begin() + kSpareSketches, b.begin());
        } else {
            const double uu = inner(u, u).real(), vv = inner(v, v).real(), largest = std::max(uu, vv);
            if (largest == 0) return true;
            if (!decide_zero((uu + vv - 2 * inner(u, v).real()) / largest, settings_,
                             "the squared distance of two vectors")) {
                return false;
            }
            if (settings_.measured == 0) return true;
            const double distance = norm(combine(store({S{1}, S{-1}}), {u, v})) / std::sqrt(largest);
            return decide_measured(distance, settings_, "the distance of two vectors");
        }
    }

    /// <u|v> if `conjugated`, else the sum over x of u(x) v(x).
    S inner(const VectorPtr& u, const VectorPtr& v, bool conjugated = true) {
        const auto &a = typed(u), &b = typed(v);
        if (a.terms() && b.terms()) return qismc::pair_up(context_.field, *a.terms(), *b.terms(), conjugated);
        if (a.train() && b.train()) return qismc::pair_up(context_.field, *a.train(), *b.train(), conjugated);
        Dense<F> first, second;
        return qismc::pair_up(context_.field, a.as_array(first), b.as_array(second), conjugated);
    }

    std::vector<Word> pair_up(const VectorPtr& u, const VectorPtr& v, bool conjugated) override {
        if (conjugated) require_conjugation("an inner product");
        return store({inner(u, v, conjugated)});
    }

    std::vector<Word> amplitude(const VectorPtr& v, const std::vector<std::uint8_t>& bits) override {
        const auto& own = typed(v);
        const F& f = context_.field;
        if (own.train()) {
            const auto letter = [&](int k) {
                return std::pair{bits[k] ? f.zero() : f.one(), bits[k] ? f.one() : f.zero()};
            };
            return store({evaluate(f, *own.train(), letter)});
        }
        std::size_t index = 0;
        for (int k = 0; k < settings_.levels; ++k) index |= bits[k] ? own.array()->bit(k) : 0;
        return store({own.array()->amplitudes[index]});
    }

    double norm(const VectorPtr& v) override {
        if constexpr (F::exact) {
            typed(v);
            throw std::invalid_argument("a vector over a finite field has no norm");
        } else {
            const auto& own = typed(v);
            if (own.terms()) return qismc::norm(own.terms()->amplitudes);
            if (own.train()) return qismc::norm(own.train()->site(own.train()->centre).stacked);
            return std::sqrt(qismc::pair_up(context_.field, *own.array(), *own.array(), true).real());
        }
    }

    std::pair<std::vector<std::uint8_t>, std::vector<Word>> largest(const VectorPtr& v, int count) override {
        if constexpr (F::exact) {
            typed(v);
            throw std::invalid_argument("amplitudes over a finite field have no size");
        } else {
            const auto& own = typed(v);
            const auto terms = own.train() ? largest_terms(context_, *own.train(), count)
                                           : largest_terms(own.array()->amplitudes, settings_.levels, count);
            std::vector<std::uint8_t> bits;
            std::vector<S> amplitudes;
            for (const auto& term : terms) {
                bits.insert(bits.end(), term.bits.begin(), term.bits.end());
                amplitudes.push_back(term.amplitude);
            }
            return {std::move(bits), store(amplitudes)};
        }
    }

    std::vector<std::uint8_t> first(const VectorPtr& v) override {
        const auto& own = typed(v);
        if constexpr (!F::exact) {
            throw std::invalid_argument("which floating-point amplitudes are zero is a matter of rounding");
        } else {
            if (own.train()) return first_word(context_.field, *own.train());
            const auto& amplitudes = own.array()->amplitudes;
            std::size_t index = 0;
            while (index < amplitudes.size() && context_.field.is_zero(amplitudes[index])) ++index;
            if (index == amplitudes.size()) return {};
            std::vector<std::uint8_t> bits;
            for (int k = 0; k < settings_.levels; ++k) bits.push_back((index & own.array()->bit(k)) != 0);
            return bits;
        }
    }

    // ---- changing

    VectorPtr scale(const VectorPtr& v, const std::vector<Word>& factor) override {
        return scaled(v, context_.field.load(factor.data()));
    }

    VectorPtr normalise(const VectorPtr& v) override {
        const double length = norm(v);
        if (length == 0) throw std::invalid_argument("the zero vector cannot be normalised");
        if constexpr (F::exact) {
            return v;
        } else {
            return scaled(v, S{1 / length});
        }
    }

    VectorPtr conjugate(const VectorPtr& v) override {
        require_conjugation("conjugation");
        const auto conj_all = [this](std::vector<S>& entries) {
            for (S& x : entries) x = context_.field.conj(x);
        };
        State state = typed(v).state();
        if (auto* train = std::get_if<Train<F>>(&state)) {
            for (int k = 0; k < train->levels(); ++k) conj_all(train->edit(k).stacked.data);
        } else if (auto* terms = std::get_if<Terms<F>>(&state)) {
            conj_all(terms->amplitudes);
        } else {
            conj_all(std::get<Dense<F>>(state).amplitudes);
        }
        return wrap(std::move(state));
    }

    VectorPtr adopt(const VectorPtr& v) override { return wrap(State(typed(v).state())); }

    VectorPtr canonical(const VectorPtr& v) override {
        const auto& own = typed(v);
        Train<F> train = own.train()
                             ? *own.train()
                             : train_of_amplitudes(context_, own.array()->amplitudes, settings_.levels);
        reduce_all(context_, train, true);
        return wrap(std::move(train));
    }

    // ---- spans

    std::unique_ptr<Span> span() override {
        if constexpr (F::exact) {
            return std::make_unique<LabelledSpan<SpaceOf, SketchSpan<SpaceOf>>>(this->shared_from_this());
        } else {
            return std::make_unique<LabelledSpan<SpaceOf, GramSpan<SpaceOf>>>(this->shared_from_this());
        }
    }

    /// The vector's values at the first `count` random points of this space, cached in the vector.
    const Sketches& sketch(const VectorOf<F>& v, int count) {
        if (count > 0) make_points(count);
        return sketch(watch_, v, count);
    }

    /// Looks at all of them, which are different ones, at the first `count` points.
    void sketch_all(const std::vector<VectorPtr>& vectors, int count) {
        make_points(count);
        std::size_t work = 0;
        for (const VectorPtr& v : vectors) {
            const std::size_t known = typed(v).sketches().values.size();
            work += v->nodes() * (static_cast<std::size_t>(count) - std::min<std::size_t>(count, known));
        }
        share(vectors.size(), members(vectors.size(), work), Owner{watch_.interrupt(), [] {}},
              [&](Bench<F>& bench, std::size_t i) { sketch(bench.watch, typed(vectors[i]), count); });
    }

  private:
    /// A checked part of a block, ready to be executed.
    struct Plan {
        std::shared_ptr<const std::vector<Step<F>>> steps;
        std::size_t gates;
    };

    static constexpr std::size_t kFew = 4;  // vectors for which a plan need not hold what few gates need

    Plan checked_plan(Block& block, int first, int last, bool often = false) {
        auto* own = dynamic_cast<BlockOf<F>*>(&block);
        if (own == nullptr || own->levels() != settings_.levels || own->prime() != context_.field.modulus()) {
            throw std::invalid_argument("the block was compiled for another space");
        }
        if (last == -1) last = own->size();
        if (first < 0 || first > last || last > own->size()) {
            throw std::out_of_range("gates " + std::to_string(first) + ".." + std::to_string(last) +
                                    " of a block of " + std::to_string(own->size()));
        }
        return {own->plan(context_, first, last, often), static_cast<std::size_t>(last - first)};
    }

    VectorPtr execute(Bench<F>& bench, const Plan& plan, const VectorOf<F>& v) {
        bench.watch.claim(v.bytes());
        Execution<F> execution(bench.context, settings_, bench.statistics, v.state());
        execution.run(*plan.steps);
        bench.statistics.gates += plan.gates;
        return wrap(bench.watch, execution.finish());
    }

    /// How many threads are worth their start for so many operations.
    int members(std::size_t count, std::size_t operations) const {
        constexpr std::size_t kWorthAThread = 100'000;
        return static_cast<int>(std::clamp<std::size_t>(
            operations / kWorthAThread, 1, std::max<std::size_t>(1, std::min<std::size_t>(threads_, count))));
    }

    template <class Work>
    void share(std::size_t count, int members, const Owner& owner, const Work& work) {
        benches_.share(context_.field, watch_, statistics_, owner, members, count, work);
    }

    const Sketches& sketch(Watch& watch, const VectorOf<F>& v, int count) const {
        Sketches& cache = v.sketches();
        if (cache.seed != settings_.seed) cache = {settings_.seed, {}};
        for (int point = static_cast<int>(cache.values.size()); point < count; ++point) {
            const std::vector<S>& own = points_[point];
            const auto weights = [&](int k) { return std::pair{context_.field.one(), own[k]}; };
            watch.work(v.nodes());
            cache.values.push_back(std::visit(
                [&](const auto& state) { return evaluate(context_.field, state, weights); }, v.state()));
        }
        return cache;
    }

  public:
    std::vector<std::vector<Word>> meet(const std::vector<VectorPtr>& a,
                                        const std::vector<VectorPtr>& b) override;
    VectorPtr partial(const VectorPtr& v, const std::vector<int>& kept, Space& target, Word seed) override;
    VectorPtr contract(const VectorPtr& v, const std::vector<int>& levels, const VectorPtr& bra,
                       Space& target) override;
    VectorPtr embed(const VectorPtr& v, const std::vector<int>& levels) override;

  private:
    /// The weights of the levels at random points, made once: every vector is looked at there.
    void make_points(int count) {
        for (int next = static_cast<int>(points_.size()); next < count; ++next) {
            auto& weights = points_.emplace_back();
            for (int k = 0; k < settings_.levels; ++k) {
                PointStream stream(settings_.seed, static_cast<Word>(next), static_cast<Word>(k));
                weights.push_back(context_.field.random(stream));
            }
        }
    }

    void check_kets(const Kets& words) const;
    std::vector<Train<F>> ket_trains(const Kets& words);

    static constexpr int kTrainFirst = 12;  // given amplitudes are tried as a train up to here

    void require_conjugation(const char* what) const {
        if (!F::conjugates) throw std::invalid_argument(std::string(what) + " needs the kind fp2 or complex");
    }

    VectorPtr settled(Train<F> train) {
        Execution<F> execution(context_, settings_, statistics_, std::move(train));
        execution.settle();
        return wrap(execution.finish());
    }

    VectorPtr scaled(const VectorPtr& v, S factor) {
        State state = typed(v).state();
        std::vector<S>* entries = nullptr;
        if (auto* train = std::get_if<Train<F>>(&state)) {
            if (context_.field.is_zero(factor)) train->make_zero();
            entries = &train->edit(train->centre).stacked.data;
        } else if (auto* terms = std::get_if<Terms<F>>(&state)) {
            if (context_.field.is_zero(factor))
                *terms = {terms->levels, {}, {}, terms->lookout, terms->was_array};
            entries = &terms->amplitudes;
        } else {
            entries = &std::get<Dense<F>>(state).amplitudes;
        }
        for (S& x : *entries) x = context_.field.mul(x, factor);
        return wrap(std::move(state));
    }

    SpaceOf& target_space(Space& target, int levels) const {
        auto* own = dynamic_cast<SpaceOf*>(&target);
        if (own != nullptr && own->context_.field.modulus() == context_.field.modulus() &&
            own->settings_.levels == levels) {
            return *own;
        }
        throw std::invalid_argument("the target must be a space over the same field with " +
                                    std::to_string(levels) + " levels");
    }

    static constexpr std::size_t kSurroundings = 2;  // functionals whose surroundings a vector keeps

    VectorPtr terms_part(const Terms<F>& terms, const std::vector<int>& keep, Word seed);
    Train<F> level_part(const VectorOf<F>& v, int level, Word seed);
    const typename VectorOf<F>::Surroundings& surroundings(const VectorOf<F>& v, Word seed);

    /// place[k] = i for the i-th of the given increasing levels, -1 for all others.
    std::vector<int> places(const std::vector<int>& levels) const;

    Context<F> context_;
    Benches<F> benches_;
    std::vector<std::vector<S>> points_;  // weights of the levels, by point
};

}  // namespace qismc

#include "space/space_kets.h"
#include "space/space_parts.h"
