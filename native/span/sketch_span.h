#pragma once

#include "space/space.h"
#include "span/frame.h"
#include "span/tracked.h"

namespace qismc {

/// Sketch coordinates beyond the rank: a vector outside passes for inside with probability < (levels / p)^2.
inline constexpr int kSpareSketches = 2;

/// A span over a finite field, decided on rows that stand for vectors: values at random product points, or
/// all amplitudes where these are not many more. SpaceType offers typed(v) -> vector over F and
/// sketch(vector, count) -> its values at the first `count` points.
template <class SpaceType>
class SketchSpan final : public Span {
  public:
    using F = typename SpaceType::Field;
    using S = typename F::Scalar;

    explicit SketchSpan(std::shared_ptr<SpaceType> space)
        : space_(std::move(space)), frame_(space_->settings().levels) {
        rows_.emplace(space_->context());
    }

    int dimension() const override { return rows_->rank(); }

    bool add(const VectorPtr& v) override { return add_all({v})[0]; }

    std::vector<bool> add_all(const std::vector<VectorPtr>& vectors) override {
        std::vector<bool> fresh(vectors.size(), false);
        for (std::size_t begin = 0; begin < vectors.size(); begin += kTogether) {
            const std::size_t end = std::min(vectors.size(), begin + kTogether);
            std::vector<std::size_t> asked;
            for (std::size_t i = begin; i < end; ++i) {
                if (!space_->is_zero(vectors[i])) asked.push_back(i);
            }
            add_some(vectors, asked, fresh);
        }
        return fresh;
    }

    bool contains(const VectorPtr& v) override {
        if (space_->is_zero(v)) return true;
        prepare({v});
        return is_full() || inside(rows_->reduce(row(v)));
    }

    std::optional<std::vector<Word>> coordinates(const VectorPtr& v) override {
        if (space_->is_zero(v)) return space_->store(std::vector<S>(dimension()));
        prepare({v});
        const auto reduced = rows_->reduce(row(v));
        if (!inside(reduced)) return std::nullopt;
        return space_->store(rows_->combination(reduced));
    }

  private:
    static constexpr std::size_t kTogether = 16;  // vectors that are reduced together
    static constexpr int kListed = 14;            // amplitudes of so many levels may be listed
    static constexpr int kDearer =
        4;  // so many times longer may lists be than sketches, which take work, too

    using Reduced = typename Tracked<F>::Reduced;

    void add_some(const std::vector<VectorPtr>& vectors, const std::vector<std::size_t>& asked,
                  std::vector<bool>& fresh) {
        std::vector<VectorPtr> chosen;
        for (const std::size_t i : asked) chosen.push_back(vectors[i]);
        prepare(chosen);
        if (is_full()) return;
        auto reduced = reduced_rows(chosen);
        for (std::size_t i = 0; i < asked.size(); ++i) {
            rows_->catch_up(reduced[i]);
            if (inside(reduced[i])) continue;
            rows_->keep(reduced[i]);
            vectors_.push_back(chosen[i]);
            fresh[asked[i]] = true;
        }
    }

    /// Makes the rows such that these vectors, too, can be told apart by them.
    void prepare(const std::vector<VectorPtr>& asked) {
        bool freed = false;
        std::size_t nodes = 0;
        for (const VectorPtr& v : asked) {
            freed |= frame_.admit(field(), space_->typed(v));
            nodes = std::max(nodes, v->nodes());
        }
        const int needed = dimension() + static_cast<int>(asked.size()) + kSpareSketches;
        const std::size_t affordable = 2 * nodes + static_cast<std::size_t>(kDearer) * needed;
        const bool list = frame_.free() <= kListed &&
                          ((listed_ && !freed) || affordable >= std::size_t{1} << frame_.free());
        if (list != listed_ || (list && freed)) {
            listed_ = list;
            points_ = needed;
            start_again();
        } else if (!list && needed > points_) {
            widen(std::max(needed, points_ + points_ / 4));
        }
    }

    void start_again() {
        rows_.emplace(space_->context());
        for (std::size_t begin = 0; begin < vectors_.size(); begin += kTogether) {
            const auto end = std::min(vectors_.size(), begin + kTogether);
            for (Reduced& one : reduced_rows({vectors_.begin() + begin, vectors_.begin() + end})) {
                rows_->catch_up(one);
                rows_->keep(one);
            }
        }
    }

    void widen(int points) {
        Matrix<S> values(dimension(), points - points_);
        space_->sketch_all(vectors_, points);
        for (int i = 0; i < values.rows; ++i) {
            const auto& own = space_->typed(vectors_[i]).sketches().values;
            std::copy(own.begin() + points_, own.begin() + points, values.row(i));
        }
        if (values.rows > 0) rows_->add_columns(values);
        points_ = points;
    }

    std::vector<Reduced> reduced_rows(const std::vector<VectorPtr>& vectors) {
        if (!listed_) space_->sketch_all(different(vectors), points_);
        std::vector<std::vector<S>> rows;
        for (const VectorPtr& v : vectors) rows.push_back(row(v));
        return rows_->reduce_all(std::move(rows));
    }

    /// Each once, so that no two threads work on one.
    static std::vector<VectorPtr> different(std::vector<VectorPtr> vectors) {
        std::sort(vectors.begin(), vectors.end());
        vectors.erase(std::unique(vectors.begin(), vectors.end()), vectors.end());
        return vectors;
    }

    std::vector<S> row(const VectorPtr& v) {
        const auto& own = space_->typed(v);
        const std::size_t columns = listed_ ? std::size_t{1} << frame_.free() : points_;
        const std::size_t entries = (1 + static_cast<std::size_t>(dimension())) * columns;
        space_->context().watch.claim(sizeof(S) * entries);
        space_->context().watch.work(entries);
        if (listed_) return frame_.list(field(), own);
        const auto& values = space_->sketch(own, points_).values;
        return {values.begin(), values.begin() + points_};
    }

    /// Does the span hold everything that the common factors leave open?
    bool is_full() const { return listed_ && dimension() == 1 << frame_.free(); }

    bool inside(const Reduced& reduced) const { return all_zero(field(), reduced.remainder); }
    const F& field() const { return space_->context().field; }

    std::shared_ptr<SpaceType> space_;
    Frame<F> frame_;
    std::optional<Tracked<F>> rows_;
    std::vector<VectorPtr> vectors_;
    int points_ = 0;       // the number of columns, if they are values at points
    bool listed_ = false;  // are the columns amplitudes?
};

/// Coefficients on the independent list `a` of a basis of span(a) /\ span(b), by sketches: every b that
/// depends on a and earlier b's gives a vector of the meet.
template <class SpaceType>
std::vector<std::vector<Word>> sketch_meet(SpaceType& space, const std::vector<VectorPtr>& a,
                                           const std::vector<VectorPtr>& b) {
    using F = typename SpaceType::Field;
    using S = typename F::Scalar;
    const F& f = space.context().field;
    const int points = static_cast<int>(a.size() + b.size()) + kSpareSketches;
    const auto row = [&](const VectorPtr& v) {
        const auto& values = space.sketch(space.typed(v), points).values;
        return std::vector<S>(values.begin(), values.begin() + points);
    };
    Tracked<F> rows(space.context());
    for (const VectorPtr& v : a) {
        const auto reduced = rows.reduce(row(v));
        if (all_zero(f, reduced.remainder))
            throw std::invalid_argument("the first list of a meet is dependent");
        rows.keep(reduced);
    }
    std::vector<std::vector<Word>> basis;
    Echelon<F> found(f, space.context().inverses, static_cast<int>(a.size()));
    for (const VectorPtr& v : b) {
        const auto reduced = rows.reduce(row(v));
        if (!all_zero(f, reduced.remainder)) {
            rows.keep(reduced);
            continue;
        }
        auto combination = rows.combination(reduced);
        combination.resize(a.size());
        if (found.insert(combination.data())) basis.push_back(space.store(combination));
    }
    return basis;
}

}  // namespace qismc
