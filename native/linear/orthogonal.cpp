#include "linear/orthogonal.h"

#include <array>
#include <cmath>
#include <cstring>
#include <numeric>

#include "linear/lanes.h"
#include "linear/parts.h"

namespace qismc {
namespace {

constexpr double kDependent = 1e-14;       // what remains of a dependent column, relative to its norm
constexpr double kNegligible = 1e-18;      // an overlap, relative to the column: lost in rounding anyway
constexpr double kAgain = 0.5;             // a column that shrinks by more has lost digits: once more
constexpr std::size_t kLarge = 10'000;     // entries of a matrix whose rows are worth a look at the clock
constexpr std::size_t kManyParts = 1'024;  // entries of a matrix that may fall into parts
constexpr double kShare = 0.01;            // of what may be cut off: for entries between parts
constexpr double kBlurred = 1e-15;         // of a column: as much as rounding does
constexpr int kPanel = 16;                 // vectors that are made orthogonal together
constexpr int kFewTerms = 4;               // of a panel, which are taken one by one
constexpr double kReliable = 1e-6;         // what subtraction leaves of a squared length with digits enough
constexpr int kSweeps = 40;                // Jacobi converges quadratically: some 10 sweeps suffice

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

/// Numbers whose place is on the stack while they are few: most matrices of a train are small.
template <class T>
class Room {
  public:
    explicit Room(std::size_t count) : many_(count > kFew ? count : 0) {}

    T* data() { return many_.empty() ? few_.data() : many_.data(); }
    const T* data() const { return many_.empty() ? few_.data() : many_.data(); }
    T& operator[](std::size_t k) { return data()[k]; }
    const T& operator[](std::size_t k) const { return data()[k]; }

  private:
    static constexpr std::size_t kFew = 128;
    std::array<T, kFew> few_;  // what is read was written before
    std::vector<T> many_;
};

enum class Of { columns, rows };

/// The columns or rows of a matrix one after the other, real and imaginary parts apart: loops over them use
/// vector registers.
class Vectors {
  public:
    Vectors(const ComplexMatrix& m, Of of)
        : length_(of == Of::columns ? m.rows : m.cols),
          count_(of == Of::columns ? m.cols : m.rows),
          apart_(distance(length_)),
          re_(apart_ * count_),
          im_(apart_ * count_) {
        const Complex* entry = m.data.data();
        for (int i = 0; i < m.rows; ++i) {
            for (int j = 0; j < m.cols; ++j, ++entry) {
                const int vector = of == Of::columns ? j : i, place = of == Of::columns ? i : j;
                re(vector)[place] = entry->real();
                im(vector)[place] = entry->imag();
            }
        }
    }

    int count() const { return count_; }
    int most() const { return std::min(length_, count_); }

    double squared(int j) const { return dot(j, j).real(); }

    /// <vector j | vector k>.
    Complex dot(int j, int k) const {
        const double *a = re(j), *b = im(j), *c = re(k), *d = im(k);
        if (length_ >= lanes::kLong) return lanes::dot({a, b}, {c, d}, length_);
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

    /// Vector k -= z * vector j.
    void subtract(Complex z, int j, int k) {
        const double x = z.real(), y = z.imag();
        const double *a = re(j), *b = im(j);
        double *c = re(k), *d = im(k);
        if (length_ >= lanes::kLong) return lanes::subtract(z, {a, b}, c, d, length_);
        for (int i = 0; i < length_; ++i) {
            c[i] -= x * a[i] - y * b[i];
            d[i] -= x * b[i] + y * a[i];
        }
    }

    /// Vector k -= z * vector j; what is left of its squared length.
    double subtract_and_measure(Complex z, int j, int k) {
        subtract(z, j, k);
        return squared(k);
    }

    /// out[k] = <vector j | vector begin + k> for begin + k < end.
    void dots(int j, int begin, int end, Complex* out) const {
        if (length_ >= lanes::kLong) {
            return lanes::dots({re(j), im(j)}, {re(begin), im(begin)}, apart_, end - begin, length_, out);
        }
        for (int k = begin; k < end; ++k) out[k - begin] = dot(j, k);
    }

    /// Vector k -= sum of z[j] * vector begin + j for begin + j < end.
    void subtract_all(const Complex* z, int begin, int end, int k) {
        if (length_ >= lanes::kLong) {
            return lanes::subtract_all(z, {re(begin), im(begin)}, apart_, end - begin, re(k), im(k), length_);
        }
        for (int j = begin; j < end; ++j) subtract(z[j - begin], j, k);
    }

    void exchange(int j, int k) {
        std::swap_ranges(re(j), re(j) + length_, re(k));
        std::swap_ranges(im(j), im(j) + length_, im(k));
    }

    /// Vector k = vector j / size; k <= j.
    void keep(int j, int k, double size) {
        const double *a = re(j), *b = im(j);
        double *c = re(k), *d = im(k);
        for (int i = 0; i < length_; ++i) {
            c[i] = a[i] / size;
            d[i] = b[i] / size;
        }
    }

    /// The first of them as the columns or rows of a matrix.
    ComplexMatrix first(int count, Of as) const {
        ComplexMatrix m(as == Of::columns ? length_ : count, as == Of::columns ? count : length_);
        Complex* entry = m.data.data();
        for (int i = 0; i < m.rows; ++i) {
            for (int j = 0; j < m.cols; ++j, ++entry) {
                const int vector = as == Of::columns ? j : i, place = as == Of::columns ? i : j;
                *entry = {re(vector)[place], im(vector)[place]};
            }
        }
        return m;
    }

  private:
    /// An odd number of cache lines from one long vector to the next: places that many of them have in common
    /// would drive each other out of the cache.
    static std::size_t distance(int length) {
        constexpr std::size_t kLine = 8;
        return length < lanes::kLong ? length : (length + kLine - 1) / kLine / 2 * 2 * kLine + kLine;
    }

    double* re(int j) { return re_.data() + j * apart_; }
    double* im(int j) { return im_.data() + j * apart_; }
    const double* re(int j) const { return re_.data() + j * apart_; }
    const double* im(int j) const { return im_.data() + j * apart_; }

    int length_, count_;
    std::size_t apart_;
    Room<double> re_, im_;
};

/// What the vectors are made of: vector j is the sum over k of (k, j) times the k-th orthonormal one.
class Coefficients {
  public:
    Coefficients(int most, int count) : count_(count), entries_(static_cast<std::size_t>(most) * count) {
        std::fill_n(entries_.data(), static_cast<std::size_t>(most) * count, Complex{});
    }

    Complex& operator()(int k, int j) { return entries_[static_cast<std::size_t>(k) * count_ + j]; }

    /// Those of the first `rank`: m = (orthonormal columns) * this, or m = this * (orthonormal rows).
    ComplexMatrix first(int rank, Of of) const {
        if (of == Of::columns) {
            ComplexMatrix m(rank, count_);
            std::copy_n(entries_.data(), m.data.size(), m.data.data());
            return m;
        }
        ComplexMatrix m(count_, rank);
        for (int k = 0; k < rank; ++k) {
            for (int j = 0; j < count_; ++j) m(j, k) = entries_[static_cast<std::size_t>(k) * count_ + j];
        }
        return m;
    }

  private:
    int count_;
    Room<Complex> entries_;
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

/// The zero matrix: a unit column times a zero row, or a zero column times a unit row.
ComplexFactors zero_factors(const ComplexMatrix& m, Of of) {
    ComplexMatrix column(m.rows, 1), row(1, m.cols);
    (of == Of::columns ? column : row)(0, 0) = 1;
    return {std::move(column), std::move(row)};
}

ComplexFactors factors_of(const ComplexMatrix& m, Of of, const Vectors& vectors,
                          const Coefficients& coefficients, int rank) {
    if (rank == 0) return zero_factors(m, of);
    ComplexMatrix kept = vectors.first(rank, of), made = coefficients.first(rank, of);
    if (of == Of::columns) return {std::move(kept), std::move(made)};
    return {std::move(made), std::move(kept)};
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

namespace {

/// Factors of each part, put together.
template <class Factorise>
ComplexFactors in_parts(const ComplexMatrix& m, const std::vector<Part>& parts, Factorise factorise) {
    std::vector<ComplexFactors> found;
    int rank = 0;
    for (const Part& part : parts) {
        found.push_back(factorise(cut_out(m, part)));
        rank += found.back().left.cols;
    }
    ComplexFactors whole{ComplexMatrix(m.rows, rank), ComplexMatrix(rank, m.cols)};
    int first = 0;
    for (std::size_t p = 0; p < parts.size(); ++p) {
        const auto& [left, right] = found[p];
        for (int i = 0; i < left.rows; ++i)
            std::copy_n(left.row(i), left.cols, whole.left.row(parts[p].rows[i]) + first);
        for (int k = 0; k < right.rows; ++k) {
            for (int j = 0; j < right.cols; ++j) whole.right(first + k, parts[p].cols[j]) = right(k, j);
        }
        first += left.cols;
    }
    return whole;
}

ComplexFactors orthonormal_columns_of_part(const ComplexMatrix& m, const Pause& pause) {
    Vectors columns(m, Of::columns);  // the first `rank` of them are the orthonormal ones
    Coefficients coefficients(columns.most(), m.cols);
    std::array<double, kPanel> before;
    std::array<Complex, kPanel> overlaps;
    int rank = 0;
    const auto remove = [&](int k, int j, Complex c, double size) {
        if (std::abs(c.real()) + std::abs(c.imag()) <= kNegligible * size) return;
        columns.subtract(c, k, j);
        coefficients(k, j) += c;
    };
    const auto remove_from = [&](int first, int j, double size) {
        for (int k = first; k < rank; ++k) remove(k, j, columns.dot(k, j), size);
    };
    for (int begin = 0; begin < m.cols; begin += kPanel) {
        if (is_large(m) && pause) pause();
        const int end = std::min(begin + kPanel, m.cols), known = rank;
        for (int j = begin; j < end; ++j) before[j - begin] = std::sqrt(columns.squared(j));
        for (int k = 0; k < known; ++k) {  // each orthonormal one is read once for the whole panel
            columns.dots(k, begin, end, overlaps.data());
            for (int j = begin; j < end; ++j) remove(k, j, overlaps[j - begin], before[j - begin]);
        }
        for (int j = begin; j < end; ++j) {
            remove_from(known, j, before[j - begin]);
            double after = std::sqrt(columns.squared(j));
            if (after < kAgain * before[j - begin]) {
                remove_from(0, j, after);
                after = std::sqrt(columns.squared(j));
            }
            if (after <= kDependent * before[j - begin] || rank == columns.most()) continue;
            coefficients(rank, j) = after;
            columns.keep(j, rank, after);
            ++rank;
        }
    }
    return factors_of(m, Of::columns, columns, coefficients, rank);
}

/// The squared sizes up to which entries of the columns are rounding noise.
std::vector<double> noise_of_columns(const ComplexMatrix& m) {
    std::vector<double> noise(m.cols);
    for (int i = 0; i < m.rows; ++i) {
        const Complex* row = m.row(i);
        for (int j = 0; j < m.cols; ++j) noise[j] += std::norm(row[j]);
    }
    for (double& squared : noise) squared *= kBlurred * kBlurred / m.rows;
    return noise;
}

}  // namespace

ComplexFactors orthonormal_columns(const ComplexMatrix& m, const Pause& pause) {
    if (m.data.size() >= kManyParts) {
        const auto noise = noise_of_columns(m);
        const auto parts = parts_of(m, [&](int i, int j) { return std::norm(m(i, j)) > noise[j]; });
        if (parts.size() > 1) {
            return in_parts(m, parts, [&](const ComplexMatrix& part) {
                return orthonormal_columns_of_part(part, pause);
            });
        }
    }
    return orthonormal_columns_of_part(m, pause);
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

/// Gram-Schmidt that takes the longest of the remaining vectors next. What remains is kept explicitly, so its
/// length is the error of stopping here; of large matrices a panel of orthonormal vectors is removed at once,
/// and until then squared lengths are differences, which must not become too small for that.
class Pivoting {
  public:
    Pivoting(const ComplexMatrix& m, Of of)
        : vectors_(m, of),
          coefficients_(vectors_.most(), vectors_.count()),
          states_(static_cast<std::size_t>(vectors_.count())),
          overlaps_(static_cast<std::size_t>(vectors_.count())),
          panel_(is_large(m) ? kPanel : 1) {
        for (int j = 0; j < vectors_.count(); ++j) {
            const double squared = vectors_.squared(j);
            states_[j] = {squared, squared, j};
            measured_ = std::max(measured_, squared);
        }
    }

    bool full() const { return rank_ == vectors_.most(); }

    double rest() const {
        double sum = 0;
        for (int j = rank_; j < vectors_.count(); ++j) sum += states_[j].left;
        return sum;
    }

    void take_longest() {
        exchange(longest());
        if (removed_ < rank_) remove_from(rank_);
        const double size = straightened();
        vectors_.keep(rank_, rank_, size);
        coefficients_(rank_, states_[rank_].origin) = size;
        vectors_.dots(rank_, rank_ + 1, vectors_.count(), overlaps_.data());
        for (int j = rank_ + 1; j < vectors_.count(); ++j) {
            const Complex c = overlaps_[j - rank_ - 1];
            if (std::norm(c) <= kNegligible * kNegligible * states_[j].left) continue;
            coefficients_(rank_, states_[j].origin) = c;
            if (panel_ == 1) {
                states_[j].left = vectors_.subtract_and_measure(c, rank_, j);
            } else {
                states_[j].left = std::max(states_[j].left - std::norm(c), 0.0);
            }
        }
        ++rank_;
        if (panel_ == 1) {
            removed_ = rank_;
        } else if (rank_ - removed_ == panel_ || states_[longest()].left < kReliable * measured_) {
            remove_panel();
        }
    }

    ComplexFactors factors(const ComplexMatrix& m, Of of) const {
        return factors_of(m, of, vectors_, coefficients_, rank_);
    }

  private:
    /// Of a vector: its squared lengths, at first and now, and its place in the matrix.
    struct State {
        double given, left;
        int origin;
    };

    /// The longest of the remaining vectors.
    int longest() const {
        int found = std::min(rank_, vectors_.count() - 1);
        for (int j = rank_ + 1; j < vectors_.count(); ++j) {
            if (states_[j].left > states_[found].left) found = j;
        }
        return found;
    }

    /// What the panel takes from vector j is taken from it.
    void remove_from(int j) {
        std::array<Complex, kPanel> weights;
        int terms = 0;
        for (int k = removed_; k < rank_; ++k) {
            const Complex c = weights[k - removed_] = coefficients_(k, states_[j].origin);
            terms += c != Complex{};
        }
        if (terms == 0) return;
        if (terms > kFewTerms) {
            vectors_.subtract_all(weights.data(), removed_, rank_, j);
        } else {
            for (int k = removed_; k < rank_; ++k) {
                if (weights[k - removed_] != Complex{}) vectors_.subtract(weights[k - removed_], k, j);
            }
        }
        states_[j].left = vectors_.squared(j);
    }

    void remove_panel() {
        measured_ = 0;
        for (int j = rank_; j < vectors_.count(); ++j) {
            remove_from(j);
            measured_ = std::max(measured_, states_[j].left);
        }
        removed_ = rank_;
    }

    void exchange(int pivot) {
        if (pivot == rank_) return;
        vectors_.exchange(rank_, pivot);
        std::swap(states_[rank_], states_[pivot]);
    }

    /// The length of the next vector, made orthogonal to the earlier ones once more where digits were lost.
    double straightened() {
        double squared = states_[rank_].left;
        if (squared >= kAgain * kAgain * states_[rank_].given) return std::sqrt(squared);
        for (int k = 0; k < rank_; ++k) {
            const Complex c = vectors_.dot(k, rank_);
            coefficients_(k, states_[rank_].origin) += c;
            squared = vectors_.subtract_and_measure(c, k, rank_);
        }
        return std::sqrt(squared);
    }

    Vectors vectors_;  // the first `rank` of them are the orthonormal ones
    Coefficients coefficients_;
    Room<State> states_;
    Room<Complex> overlaps_;
    int panel_, rank_ = 0, removed_ = 0;  // those behind `removed` are the panel
    double measured_ = 0;                 // the largest squared length that was not a difference
};

/// Up to a squared distance that is small enough.
ComplexFactors truncated(const ComplexMatrix& m, Of of, double enough, const Pause& pause) {
    Pivoting pivoting(m, of);
    while (!pivoting.full() && pivoting.rest() > enough) {
        if (is_large(m) && pause) pause();
        pivoting.take_longest();
    }
    return pivoting.factors(m, of);
}

ComplexFactors truncated(const ComplexMatrix& m, Of of, const Pause& pause, double truncation) {
    const double squared = norm(m) * norm(m), enough = truncation * truncation * squared;
    if (m.data.size() >= kManyParts) {
        const double noise = enough * kShare / static_cast<double>(m.data.size());
        auto parts = parts_of(m, [&](int i, int j) { return std::norm(m(i, j)) > noise; });
        if (parts.size() > 1) {
            const double each = enough * (1 - kShare) / static_cast<double>(parts.size());
            std::erase_if(parts, [&](const Part& part) {
                const double length = norm(cut_out(m, part));
                return length * length <= each;
            });
            return in_parts(m, parts,
                            [&](const ComplexMatrix& part) { return truncated(part, of, each, pause); });
        }
    }
    return truncated(m, of, enough, pause);
}

}  // namespace

ComplexFactors truncated_columns(const ComplexMatrix& m, const Pause& pause, double truncation) {
    return truncated(m, Of::columns, pause, truncation);
}

ComplexFactors truncated_rows(const ComplexMatrix& m, const Pause& pause, double truncation) {
    return truncated(m, Of::rows, pause, truncation);
}

}  // namespace qismc
