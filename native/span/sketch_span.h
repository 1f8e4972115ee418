#pragma once

#include "space/space.h"
#include "span/tracked.h"

namespace qismc {

/// Sketch coordinates beyond the rank: a vector outside passes for inside with probability < (levels / p)^2.
inline constexpr int kSpareSketches = 2;

/// A span over a finite field, decided on values at random product points. SpaceType offers
/// typed(v) -> vector over F and sketch(vector, count) -> its values at the first `count` points.
template <class SpaceType>
class SketchSpan final : public Span {
  public:
    using F = typename SpaceType::Field;
    using S = typename F::Scalar;

    explicit SketchSpan(std::shared_ptr<SpaceType> space)
        : space_(std::move(space)), rows_(space_->context()) {}

    int dimension() const override { return rows_.rank(); }

    bool add(const VectorPtr& v) override {
        const auto reduced = reduce(v);
        if (all_zero(space_->context().field, reduced.remainder)) return false;
        rows_.keep(reduced);
        vectors_.push_back(v);
        const int points = needed_points();
        space_->sketch_all(vectors_, points);
        std::vector<S> column;
        for (const VectorPtr& kept : vectors_) {
            column.push_back(space_->typed(kept).sketches().values[points - 1]);
        }
        rows_.add_column(column);
        return true;
    }

    std::optional<std::vector<Word>> coordinates(const VectorPtr& v) override {
        const auto reduced = reduce(v);
        if (!all_zero(space_->context().field, reduced.remainder)) return std::nullopt;
        return space_->store(rows_.combination(reduced));
    }

    void expect(const std::vector<VectorPtr>& vectors) override {
        std::vector<VectorPtr> different = vectors;
        std::sort(different.begin(), different.end());
        different.erase(std::unique(different.begin(), different.end()), different.end());
        space_->sketch_all(different, needed_points());
    }

  private:
    int needed_points() const { return rows_.rank() + 1 + kSpareSketches; }

    typename Tracked<F>::Reduced reduce(const VectorPtr& v) {
        const auto& values = space_->sketch(space_->typed(v), needed_points()).values;
        return rows_.reduce({values.begin(), values.begin() + needed_points()});
    }

    std::shared_ptr<SpaceType> space_;
    Tracked<F> rows_;
    std::vector<VectorPtr> vectors_;
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
