#pragma once

#include <memory>
#include <vector>

#include "linear/matrix.h"
#include "terms/lookout.h"

namespace qismc {

/// One site: the matrices A[0] and A[1], both left x right, stacked on top of each other.
template <class S>
struct Site {
    int left = 1;
    Matrix<S> stacked;

    Site(int l, int r) : left(l), stacked(2 * l, r) {}
    Site(int l, Matrix<S> m) : left(l), stacked(std::move(m)) {}

    int right() const { return stacked.cols; }
    const S* row(int x, int i) const { return stacked.row(x * left + i); }
    S* row(int x, int i) { return stacked.row(x * left + i); }
    /// The matrix of a letter.
    lanes::Rows<const S> of(int x) const { return {row(x, 0), static_cast<std::size_t>(right())}; }
    lanes::Rows<S> of(int x) { return {row(x, 0), static_cast<std::size_t>(right())}; }
    std::size_t nodes() const { return static_cast<std::size_t>(left) * right(); }
};

/// A vector over ordered two-valued levels: the amplitude of x is A_0[x_0] A_1[x_1] ... A_{n-1}[x_{n-1}].
/// Bonds are minimal. Sites are shared between copies until they are changed.
template <class F>
class Train {
  public:
    using S = typename F::Scalar;

    explicit Train(std::vector<Site<S>> sites) {
        for (Site<S>& site : sites) {
            nodes_ += site.nodes();
            sites_.push_back(std::make_shared<Site<S>>(std::move(site)));
        }
    }

    /// Sites that others may have, too.
    explicit Train(std::vector<std::shared_ptr<Site<S>>> sites) : sites_(std::move(sites)) {
        for (const auto& site : sites_) nodes_ += site->nodes();
    }

    int levels() const { return static_cast<int>(sites_.size()); }
    const Site<S>& site(int k) const { return *sites_[k]; }
    std::size_t nodes() const { return nodes_; }
    std::size_t bytes() const { return 2 * sizeof(S) * nodes_ + sites_.size() * sizeof(Site<S>); }

    /// The sizes r_0 = 1, r_1, ..., r_n = 1.
    std::vector<int> bonds() const {
        std::vector<int> sizes;
        for (const auto& site : sites_) sizes.push_back(site->left);
        sizes.push_back(1);
        return sizes;
    }

    void replace(int k, Site<S> site) {
        nodes_ += site.nodes() - sites_[k]->nodes();
        if (sites_[k].use_count() == 1) {
            *sites_[k] = std::move(site);
        } else {
            sites_[k] = std::make_shared<Site<S>>(std::move(site));
        }
    }

    /// The site for changes of entries that keep its shape.
    Site<S>& edit(int k) {
        if (sites_[k].use_count() != 1) sites_[k] = std::make_shared<Site<S>>(*sites_[k]);
        return *sites_[k];
    }

    bool is_alone(int k) const { return site(k).nodes() == 1; }

    /// Exchanges two levels that no bond ties to others.
    void exchange(int a, int b) { std::swap(sites_[a], sites_[b]); }

    void make_zero() {
        for (int k = 0; k < levels(); ++k) replace(k, Site<S>(1, 1));
        centre = 0;
    }

    /// In orthonormal gauge (complex only): the sites left of it have orthonormal columns, right of it rows.
    int centre = 0;

    /// Goes from a train to its images: whether lists of terms would be better.
    Lookout lookout;

  private:
    std::vector<std::shared_ptr<Site<S>>> sites_;
    std::size_t nodes_ = 0;
};

}  // namespace qismc
