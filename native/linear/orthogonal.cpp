#include "linear/orthogonal.h"

#include <cmath>
#include <cstring>
#include <numeric>

namespace qismc {
namespace {

constexpr double kDependent = 1e-14;    // what remains of a dependent column, relative to its norm
constexpr double kNegligible = 1e-18;   // an overlap, relative to the column: lost in rounding anyway
constexpr double kAgain = 0.5;          // a column that shrinks by more has lost digits: once more
constexpr std::size_t kLarge = 10'000;  // entries of a matrix whose rows are worth a look at the clock
constexpr int kSweeps = 40;             // Jacobi converges quadratically: some 10 sweeps suffice

double squared(const Complex* x, int n) {
    double sum = 0;
    for (int j = 0; j < n; ++j) sum += std::norm(x[j]);
    return sum;
}

/// <x|y>.
Complex dot(const Complex* x, const Complex* y, int n) {
    double re = 0, im = 0;
    for (int j = 0; j < n; ++j) {
        re += x[j].real() * y[j].real() + x[j].imag() * y[j].imag();
        im += x[j].real() * y[j].imag() - x[j].imag() * y[j].real();
    }
    return {re, im};
}

constexpr int kLanes = 2;  // of a vector register that every machine has
using Lanes = double __attribute__((vector_size(kLanes * sizeof(double))));

Lanes load(const double* x) {
    Lanes lanes;
    std::memcpy(&lanes, x, sizeof lanes);
    return lanes;
}

/// The columns of a matrix one after the other, real and imaginary parts apart: loops over them use vector
/// registers.
class Columns {
  public:
    explicit Columns(const ComplexMatrix& m) : length_(m.rows), re_(m.data.size()), im_(m.data.size()) {
        for (int i = 0; i < m.rows; ++i) {
            for (int j = 0; j < m.cols; ++j) {
                re(j)[i] = m(i, j).real();
                im(j)[i] = m(i, j).imag();
            }
        }
    }

    double squared(int j) const { return dot(j, j).real(); }

    /// <column j | column k>.
    Complex dot(int j, int k) const {
        const double *a = re(j), *b = im(j), *c = re(k), *d = im(k);
        Lanes real = {}, imag = {}, more_real = {}, more_imag = {};  // sums that do not wait for each other
        int i = 0;
        for (; i + 2 * kLanes <= length_; i += 2 * kLanes) {
            const Lanes p = load(a + i), q = load(b + i), r = load(c + i), s = load(d + i);
            const Lanes t = load(a + i + kLanes), u = load(b + i + kLanes);
            const Lanes v = load(c + i + kLanes), w = load(d + i + kLanes);
            real += p * r + q * s;
            imag += p * s - q * r;
            more_real += t * v + u * w;
            more_imag += t * w - u * v;
        }
        real += more_real;
        imag += more_imag;
        Complex sum{real[0] + real[1], imag[0] + imag[1]};
        for (; i < length_; ++i) sum += Complex{a[i] * c[i] + b[i] * d[i], a[i] * d[i] - b[i] * c[i]};
        return sum;
    }

    /// Column k -= z * column j.
    void subtract(Complex z, int j, int k) {
        const double x = z.real(), y = z.imag();
        const double *a = re(j), *b = im(j);
        double *c = re(k), *d = im(k);
        for (int i = 0; i < length_; ++i) {
            c[i] -= x * a[i] - y * b[i];
            d[i] -= x * b[i] + y * a[i];
        }
    }

    /// Column k -= z * column j; what is left of its squared length.
    double subtract_and_measure(Complex z, int j, int k) {
        subtract(z, j, k);
        return squared(k);
    }

    void exchange(int j, int k) {
        std::swap_ranges(re(j), re(j) + length_, re(k));
        std::swap_ranges(im(j), im(j) + length_, im(k));
    }

    /// Column k = column j / size; k <= j.
    void keep(int j, int k, double size) {
        for (int i = 0; i < length_; ++i) {
            re(k)[i] = re(j)[i] / size;
            im(k)[i] = im(j)[i] / size;
        }
    }

    ComplexMatrix first(int count) const {
        ComplexMatrix m(length_, count);
        for (int i = 0; i < length_; ++i) {
            for (int j = 0; j < count; ++j) m(i, j) = {re(j)[i], im(j)[i]};
        }
        return m;
    }

  private:
    double* re(int j) { return re_.data() + static_cast<std::size_t>(j) * length_; }
    double* im(int j) { return im_.data() + static_cast<std::size_t>(j) * length_; }
    const double* re(int j) const { return re_.data() + static_cast<std::size_t>(j) * length_; }
    const double* im(int j) const { return im_.data() + static_cast<std::size_t>(j) * length_; }

    int length_;
    std::vector<double> re_, im_;
};

/// (x, y) <- (c x + s y, -conj(s) x + c y).
void rotate(double c, Complex s, Complex* x, Complex* y, int n) {
    for (int j = 0; j < n; ++j) {
        const Complex a = x[j], b = y[j];
        x[j] = c * a + s * b;
        y[j] = c * b - std::conj(s) * a;
    }
}

/// Rotates rows i and k of both matrices so that those of w become orthogonal; whether they were not yet.
bool orthogonalise(ComplexMatrix& w, ComplexMatrix& j, int i, int k) {
    const double a = squared(w.row(i), w.cols), b = squared(w.row(k), w.cols);
    const Complex overlap = dot(w.row(k), w.row(i), w.cols);
    const double size = std::abs(overlap);
    if (size <= 1e-14 * std::sqrt(a * b) || size < 1e-300) return false;
    const double ratio = (b - a) / (2 * size);
    const double tangent = (ratio >= 0 ? -1.0 : 1.0) / (std::abs(ratio) + std::sqrt(1 + ratio * ratio));
    const double c = 1 / std::sqrt(1 + tangent * tangent);
    const Complex s = tangent * c * (overlap / size);
    rotate(c, s, w.row(i), w.row(k), w.cols);
    rotate(c, s, j.row(i), j.row(k), j.cols);
    return true;
}

/// Does a row or column take so long that somebody may want to stop in between?
bool is_large(const ComplexMatrix& m) { return m.data.size() >= kLarge; }

/// Left rotations j with j * m = w, the rows of w orthogonal.
struct Jacobi {
    ComplexMatrix j, w;
};

Jacobi jacobi(const ComplexMatrix& m, const Pause& pause) {
    Jacobi result{ComplexMatrix(m.rows, m.rows), m};
    for (int i = 0; i < m.rows; ++i) result.j(i, i) = 1;
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
        bool changed = false;
        for (int i = 0; i < m.rows; ++i) {
            if (is_large(m) && pause) pause();
            for (int k = i + 1; k < m.rows; ++k) changed |= orthogonalise(result.w, result.j, i, k);
        }
        if (!changed) break;
    }
    return result;
}

/// The zero matrix: a unit column times a zero row.
ComplexFactors zero_factors(const ComplexMatrix& m) {
    ComplexMatrix unit(m.rows, 1);
    unit(0, 0) = 1;
    return {std::move(unit), ComplexMatrix(1, m.cols)};
}

std::vector<int> by_decreasing(const std::vector<double>& sizes) {
    std::vector<int> order(sizes.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return sizes[a] > sizes[b]; });
    return order;
}

}  // namespace

ComplexMatrix adjoint(const ComplexMatrix& m) {
    ComplexMatrix t(m.cols, m.rows);
    for (int i = 0; i < m.rows; ++i) {
        for (int j = 0; j < m.cols; ++j) t(j, i) = std::conj(m(i, j));
    }
    return t;
}

double norm(const ComplexMatrix& m) { return norm(m.data); }

double norm(const std::vector<Complex>& x) {
    return std::sqrt(squared(x.data(), static_cast<int>(x.size())));
}

ComplexFactors orthonormal_columns(const ComplexMatrix& m, const Pause& pause) {
    Columns columns(m);  // the first `rank` of them are the orthonormal ones
    ComplexMatrix coefficients(std::min(m.rows, m.cols), m.cols);
    int rank = 0;
    const auto remove = [&](int j, double size) {
        for (int k = 0; k < rank; ++k) {
            const Complex c = columns.dot(k, j);
            if (std::abs(c.real()) + std::abs(c.imag()) <= kNegligible * size) continue;
            columns.subtract(c, k, j);
            coefficients(k, j) += c;
        }
        return std::sqrt(columns.squared(j));
    };
    for (int j = 0; j < m.cols; ++j) {
        if (is_large(m) && pause) pause();
        const double before = std::sqrt(columns.squared(j));
        double after = remove(j, before);
        if (after < kAgain * before) after = remove(j, after);
        if (after <= kDependent * before || rank == coefficients.rows) continue;
        coefficients(rank, j) = after;
        columns.keep(j, rank, after);
        ++rank;
    }
    if (rank == 0) return zero_factors(m);
    coefficients.rows = rank;
    coefficients.data.resize(static_cast<std::size_t>(rank) * m.cols);
    return {columns.first(rank), std::move(coefficients)};
}

SingularValues singular_values(const ComplexMatrix& m, const Pause& pause) {
    const Jacobi rotated = jacobi(m, pause);
    std::vector<double> sizes(m.rows);
    for (int i = 0; i < m.rows; ++i) sizes[i] = std::sqrt(squared(rotated.w.row(i), m.cols));
    std::vector<int> order = by_decreasing(sizes);
    while (!order.empty() && sizes[order.back()] == 0) order.pop_back();
    const int rank = static_cast<int>(order.size());
    SingularValues result{ComplexMatrix(m.rows, rank), {}, ComplexMatrix(rank, m.cols)};
    for (int k = 0; k < rank; ++k) {
        const double size = sizes[order[k]];
        result.values.push_back(size);
        for (int i = 0; i < m.rows; ++i) result.u(i, k) = std::conj(rotated.j(order[k], i));
        for (int j = 0; j < m.cols; ++j) result.v(k, j) = rotated.w(order[k], j) / size;
    }
    return result;
}

namespace {

/// Gram-Schmidt that takes the longest of the remaining columns next. What remains is kept explicitly, so its
/// length is the error of stopping here.
class Pivoting {
  public:
    explicit Pivoting(const ComplexMatrix& m)
        : columns_(m), coefficients_(std::min(m.rows, m.cols), m.cols), origin_(m.cols) {
        std::iota(origin_.begin(), origin_.end(), 0);
        for (int j = 0; j < m.cols; ++j) given_.push_back(columns_.squared(j));
        left_ = given_;
    }

    int rank() const { return rank_; }
    bool full() const { return rank_ == coefficients_.rows; }
    double rest() const { return std::accumulate(left_.begin() + rank_, left_.end(), 0.0); }

    void take_longest() {
        const auto longest = std::max_element(left_.begin() + rank_, left_.end());
        exchange(static_cast<int>(longest - left_.begin()));
        const double size = straightened();
        columns_.keep(rank_, rank_, size);
        coefficients_(rank_, origin_[rank_]) = size;
        for (int j = rank_ + 1; j < static_cast<int>(left_.size()); ++j) {
            const Complex c = columns_.dot(rank_, j);
            if (std::norm(c) <= kNegligible * kNegligible * left_[j]) continue;
            coefficients_(rank_, origin_[j]) = c;
            left_[j] = columns_.subtract_and_measure(c, rank_, j);
        }
        ++rank_;
    }

    ComplexFactors factors() {
        coefficients_.rows = rank_;
        coefficients_.data.resize(static_cast<std::size_t>(rank_) * coefficients_.cols);
        return {columns_.first(rank_), std::move(coefficients_)};
    }

  private:
    void exchange(int pivot) {
        if (pivot == rank_) return;
        columns_.exchange(rank_, pivot);
        std::swap(origin_[rank_], origin_[pivot]);
        std::swap(given_[rank_], given_[pivot]);
        std::swap(left_[rank_], left_[pivot]);
    }

    /// The length of the next column, made orthogonal to the earlier ones once more where digits were lost.
    double straightened() {
        double squared = left_[rank_];
        if (squared >= kAgain * kAgain * given_[rank_]) return std::sqrt(squared);
        for (int k = 0; k < rank_; ++k) {
            const Complex c = columns_.dot(k, rank_);
            coefficients_(k, origin_[rank_]) += c;
            squared = columns_.subtract_and_measure(c, k, rank_);
        }
        return std::sqrt(squared);
    }

    Columns columns_;  // the first `rank` of them are the orthonormal ones
    ComplexMatrix coefficients_;
    std::vector<int> origin_;           // the place of each column in the matrix
    std::vector<double> given_, left_;  // squared lengths, at first and now
    int rank_ = 0;
};

}  // namespace

ComplexFactors truncated_columns(const ComplexMatrix& m, const Pause& pause) {
    Pivoting pivoting(m);
    const double enough = kTruncation * kTruncation * pivoting.rest();
    while (!pivoting.full() && pivoting.rest() > enough) {
        if (is_large(m) && pause) pause();
        pivoting.take_longest();
    }
    if (pivoting.rank() > 0) return pivoting.factors();
    return zero_factors(m);
}

ComplexFactors truncated_rows(const ComplexMatrix& m, const Pause& pause) {
    const ComplexFactors turned = truncated_columns(adjoint(m), pause);
    return {adjoint(turned.right), adjoint(turned.left)};
}

}  // namespace qismc
