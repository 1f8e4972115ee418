#include "linear/orthogonal.h"

#include <cmath>
#include <numeric>

namespace qismc {
namespace {

constexpr double kDependent = 1e-14;  // what remains of a dependent column, relative to its norm
constexpr int kSweeps = 40;           // Jacobi converges quadratically: some 10 sweeps suffice

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

void subtract(Complex c, const Complex* x, Complex* y, int n) {
    for (int j = 0; j < n; ++j) {
        y[j] -= Complex{c.real() * x[j].real() - c.imag() * x[j].imag(),
                        c.real() * x[j].imag() + c.imag() * x[j].real()};
    }
}

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

/// Left rotations j with j * m = w, the rows of w orthogonal.
struct Jacobi {
    ComplexMatrix j, w;
};

Jacobi jacobi(const ComplexMatrix& m) {
    Jacobi result{ComplexMatrix(m.rows, m.rows), m};
    for (int i = 0; i < m.rows; ++i) result.j(i, i) = 1;
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
        bool changed = false;
        for (int i = 0; i < m.rows; ++i) {
            for (int k = i + 1; k < m.rows; ++k) changed |= orthogonalise(result.w, result.j, i, k);
        }
        if (!changed) break;
    }
    return result;
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

double norm(const ComplexMatrix& m) {
    return std::sqrt(squared(m.data.data(), static_cast<int>(m.data.size())));
}

// Works on the adjoint, whose rows are the conjugated columns of m and contiguous; so the coefficients are
// conjugated, too.
ComplexFactors orthonormal_columns(const ComplexMatrix& m) {
    ComplexMatrix columns = adjoint(m), coefficients(std::min(m.rows, m.cols), m.cols);
    int rank = 0;  // the first `rank` rows of `columns` are the orthonormal ones
    for (int j = 0; j < m.cols; ++j) {
        Complex* x = columns.row(j);
        const double before = std::sqrt(squared(x, m.rows));
        for (int k = 0; k < 2 * rank; ++k) {  // twice: once leaves rounding errors of the first pass
            const Complex c = dot(columns.row(k % rank), x, m.rows);
            subtract(c, columns.row(k % rank), x, m.rows);
            coefficients(k % rank, j) += std::conj(c);
        }
        const double after = std::sqrt(squared(x, m.rows));
        if (after <= kDependent * before || rank == coefficients.rows) continue;
        coefficients(rank, j) = after;
        for (int i = 0; i < m.rows; ++i) columns(rank, i) = x[i] / after;
        ++rank;
    }
    if (rank == 0) columns(rank++, 0) = 1;  // the zero matrix: a unit column times a zero row
    columns.rows = coefficients.rows = rank;
    columns.data.resize(static_cast<std::size_t>(rank) * m.rows);
    coefficients.data.resize(static_cast<std::size_t>(rank) * m.cols);
    return {adjoint(columns), std::move(coefficients)};
}

SingularValues singular_values(const ComplexMatrix& m) {
    const Jacobi rotated = jacobi(m);
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

ComplexFactors truncated_rows(const ComplexMatrix& m) {
    const SingularValues s = singular_values(m);
    const double threshold = kTruncation * norm(m);
    int rank = 0;
    while (rank < static_cast<int>(s.values.size()) && s.values[rank] > threshold) ++rank;
    ComplexFactors result{ComplexMatrix(m.rows, std::max(rank, 1)), ComplexMatrix(std::max(rank, 1), m.cols)};
    for (int k = 0; k < rank; ++k) {
        for (int i = 0; i < m.rows; ++i) result.left(i, k) = s.u(i, k) * s.values[k];
        std::copy(s.v.row(k), s.v.row(k) + m.cols, result.right.row(k));
    }
    if (rank == 0) result.right(0, 0) = 1;
    return result;
}

}  // namespace qismc
