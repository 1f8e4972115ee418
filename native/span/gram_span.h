#pragma once

#include "linear/orthogonal.h"
#include "space/space.h"

namespace qismc {

/// Whether a squared length (of something that was of length 1) is zero; NumericDoubt inside the grey band,
/// or if the rounding error `noise` of the squared length is too large to tell.
bool decide_zero(double squared, const Settings& settings, const char* what, double noise = 0);

/// Settings with `measured` only: whether the length whose square is near zero is zero itself; else
/// NumericDoubt.
bool decide_measured(double length, const Settings& settings, const char* what);

/// The Cholesky factor L of a Gram matrix G = L L^dagger, grown row by row.
class Cholesky {
  public:
    int size() const { return static_cast<int>(rows_.size()); }
    /// y with L y = g.
    std::vector<Complex> forward(std::vector<Complex> g) const;
    /// x with L^dagger x = y.
    std::vector<Complex> backward(std::vector<Complex> y) const;
    /// Adds a unit vector, given y of its inner products.
    void grow(std::vector<Complex> y);
    /// A bound on the rounding error of squared distances: that of inner products, magnified by the inverse
    /// of G.
    double noise() const { return kRounding * size() * inverse_trace_; }
    /// The same for one vector, given y: if it is x in coordinates, inner products and the entries of G count
    /// as often as x says, and L L^dagger differs from G by as much as |L| |L|^T.
    double noise(const std::vector<Complex>& y) const;

  private:
    static constexpr double kRounding = 1e-15;  // of squared lengths of unit vectors
    static constexpr double kBeyond = 1e-3;     // errors of this size magnify each other

    std::vector<std::vector<Complex>> rows_;
    std::vector<std::vector<double>> sizes_;  // the absolute values of the entries
    std::vector<int> first_;                  // where the zeros of a row end: many states are orthogonal
    double inverse_trace_ = 0;
};

/// 1 - |y|^2: the squared distance of a unit vector from the span.
double residual(const std::vector<Complex>& y);

/// Coefficients on the first of two lists of unit vectors of a basis of the meet of their spans, given the
/// Gram factors of both lists and the overlaps <a_i|b_j>.
std::vector<std::vector<Complex>> gram_meet(const Cholesky& a, const Cholesky& b,
                                            const ComplexMatrix& overlaps, const Settings& settings);

/// A span over the complex numbers, decided on inner products with two tolerances.
template <class SpaceType>
class GramSpan final : public Span {
  public:
    explicit GramSpan(std::shared_ptr<SpaceType> space) : space_(std::move(space)) {}

    int dimension() const override { return gram_.size(); }

    bool add(const VectorPtr& v) override {
        const double length = length_of(v);
        if (length == 0 || is_full()) return false;
        auto y = projections(v, length);
        if (inside(v, length, y)) return false;
        gram_.grow(std::move(y));
        vectors_.push_back(v);
        lengths_.push_back(length);
        return true;
    }

    bool contains(const VectorPtr& v) override {
        const double length = length_of(v);
        return length == 0 || is_full() || inside(v, length, projections(v, length));
    }

    std::optional<std::vector<Word>> coordinates(const VectorPtr& v) override {
        const double length = length_of(v);
        if (length == 0) return space_->store(std::vector<Complex>(vectors_.size()));
        const auto y = projections(v, length);
        if (!inside(v, length, y)) return std::nullopt;
        auto x = gram_.backward(y);
        for (std::size_t i = 0; i < x.size(); ++i) x[i] *= length / lengths_[i];
        return space_->store(x);
    }

    const Cholesky& gram() const { return gram_; }

  private:
    /// By the inner product, as overlaps are: the norm of a train trusts its other factors to be orthonormal,
    /// from which the rounding of a hundred thousand gates leads away.
    double length_of(const VectorPtr& v) { return std::sqrt(std::max(space_->inner(v, v).real(), 0.0)); }

    std::vector<Complex> projections(const VectorPtr& v, double length) {
        std::vector<Complex> overlaps;
        for (std::size_t i = 0; i < vectors_.size(); ++i) {
            overlaps.push_back(space_->inner(vectors_[i], v) / (lengths_[i] * length));
        }
        return gram_.forward(std::move(overlaps));
    }

    bool inside(const VectorPtr& v, double length, const std::vector<Complex>& y) const {
        const Settings& settings = space_->settings();
        if (!decide_zero(residual(y), settings, "the squared distance from a span", gram_.noise(y))) {
            return false;
        }
        return settings.measured == 0 ||
               decide_measured(distance(v, length, y), settings, "the distance from a span");
    }

    /// The distance from the span as the length of a difference: rounding stays in the last digits of v.
    double distance(const VectorPtr& v, double length, const std::vector<Complex>& y) const {
        std::vector<VectorPtr> terms = vectors_;
        std::vector<Complex> weights = gram_.backward(y);
        for (std::size_t i = 0; i < weights.size(); ++i) weights[i] /= -lengths_[i];
        terms.push_back(v);
        weights.push_back(1 / length);
        return space_->norm(space_->combine(space_->store(weights), terms));
    }

    /// Is it everything?
    bool is_full() const {
        const int levels = space_->settings().levels;
        return levels < 31 && dimension() == 1 << levels;
    }

    std::shared_ptr<SpaceType> space_;
    Cholesky gram_;
    std::vector<VectorPtr> vectors_;
    std::vector<double> lengths_;
};

}  // namespace qismc
