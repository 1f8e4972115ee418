#include "span/gram_span.h"

#include <cmath>
#include <sstream>

namespace qismc {

bool decide_zero(double squared, const Settings& settings, const char* what, double noise) {
    if (squared <= settings.zero && noise < settings.clear) return true;
    if (squared >= settings.clear && squared > 10 * noise) return false;
    std::ostringstream message;
    message << what << " is " << squared;
    if (noise >= settings.clear) {
        message << ", but the vectors are so close to dependent that its error may be " << noise;
    } else {
        message << ", between the zero tolerance " << settings.zero << " and the clear threshold "
                << settings.clear;
    }
    throw NumericDoubt(message.str());
}

double residual(const std::vector<Complex>& y) {
    double rest = 1;
    for (const Complex& c : y) rest -= std::norm(c);
    return std::max(rest, 0.0);
}

std::vector<Complex> Cholesky::forward(std::vector<Complex> g) const {
    for (int i = 0; i < size(); ++i) {
        for (int j = 0; j < i; ++j) g[i] -= rows_[i][j] * g[j];
        g[i] /= rows_[i][i];
    }
    return g;
}

std::vector<Complex> Cholesky::backward(std::vector<Complex> y) const {
    for (int i = size() - 1; i >= 0; --i) {
        for (int j = i + 1; j < size(); ++j) y[i] -= std::conj(rows_[j][i]) * y[j];
        y[i] /= rows_[i][i];
    }
    return y;
}

double Cholesky::noise(const std::vector<Complex>& y) const {
    if (noise() > kBeyond) return noise();
    const std::vector<Complex> x = backward(y);
    double weight = 1;
    std::vector<double> carried(size());  // |L|^T |x|
    for (int i = 0; i < size(); ++i) {
        const double part = std::abs(x[i]);
        weight += part;
        for (int j = 0; j <= i; ++j) carried[j] += part * std::abs(rows_[i][j]);
    }
    double squared = 0;
    for (const double c : carried) squared += c * c;
    return kRounding * (weight * weight + size() * squared) / 4;
}

void Cholesky::grow(std::vector<Complex> y) {
    const double rest = residual(y);
    double weight = 1;
    for (const Complex& c : backward(y)) weight += std::norm(c);
    inverse_trace_ += weight / rest;  // bordering G adds this to the trace of its inverse
    for (Complex& c : y) c = std::conj(c);
    y.push_back(std::sqrt(rest));
    rows_.push_back(std::move(y));
}

std::vector<std::vector<Complex>> gram_meet(const Cholesky& a, const Cholesky& b,
                                            const ComplexMatrix& overlaps, const Settings& settings) {
    // Cosines between orthonormal bases: La^-1 <a|b> Lb^-dagger; its singular values are those of the angles.
    ComplexMatrix cosines(a.size(), b.size());
    for (int j = 0; j < b.size(); ++j) {
        std::vector<Complex> column(a.size());
        for (int i = 0; i < a.size(); ++i) column[i] = overlaps(i, j);
        column = a.forward(std::move(column));
        for (int i = 0; i < a.size(); ++i) cosines(i, j) = column[i];
    }
    for (int i = 0; i < a.size(); ++i) {
        std::vector<Complex> row(b.size());
        for (int j = 0; j < b.size(); ++j) row[j] = std::conj(cosines(i, j));
        row = b.forward(std::move(row));
        for (int j = 0; j < b.size(); ++j) cosines(i, j) = std::conj(row[j]);
    }
    const SingularValues angles = singular_values(cosines);
    std::vector<std::vector<Complex>> basis;
    for (std::size_t k = 0; k < angles.values.size(); ++k) {
        const double sine = std::max(0.0, 1 - angles.values[k] * angles.values[k]);
        if (!decide_zero(sine, settings, "the squared sine between two spans", a.noise() + b.noise())) {
            continue;
        }
        std::vector<Complex> direction(a.size());
        for (int i = 0; i < a.size(); ++i) direction[i] = angles.u(i, static_cast<int>(k));
        basis.push_back(a.backward(std::move(direction)));
    }
    return basis;
}

}  // namespace qismc
