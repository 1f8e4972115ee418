#include "span/gram_span.h"

#include <algorithm>
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

bool decide_measured(double length, const Settings& settings, const char* what) {
    if (length <= settings.measured) return true;
    std::ostringstream message;
    message << what << " is " << length << ", more than rounding leaves (" << settings.measured << ")";
    throw NumericDoubt(message.str());
}

double residual(const std::vector<Complex>& y) {
    double rest = 1;
    for (const Complex& c : y) rest -= std::norm(c);
    return std::max(rest, 0.0);
}

std::vector<Complex> Cholesky::forward(std::vector<Complex> g) const {
    for (int i = 0; i < size(); ++i) {
        double rr = 0, ii = 0, ri = 0, ir = 0;  // sums that do not wait for each other
        for (int j = first_[i]; j < i; ++j) {
            const Complex a = rows_[i][j], b = g[j];
            rr += a.real() * b.real();
            ii += a.imag() * b.imag();
            ri += a.real() * b.imag();
            ir += a.imag() * b.real();
        }
        g[i] = (g[i] - Complex{rr - ii, ri + ir}) / rows_[i][i].real();
    }
    return g;
}

std::vector<Complex> Cholesky::backward(std::vector<Complex> y) const {
    for (int i = size() - 1; i >= 0; --i) {
        const Complex x = y[i] /= rows_[i][i].real();
        for (int j = first_[i]; j < i; ++j) {  // along the row, which is a column of L^dagger
            const Complex a = rows_[i][j];
            y[j] -=
                Complex{a.real() * x.real() + a.imag() * x.imag(), a.real() * x.imag() - a.imag() * x.real()};
        }
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
        for (int j = first_[i]; j <= i; ++j) carried[j] += part * sizes_[i][j];
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
    auto& sizes = sizes_.emplace_back();
    for (const Complex& c : y) sizes.push_back(std::abs(c));
    const auto nonzero = [](double x) { return x != 0; };
    first_.push_back(static_cast<int>(std::find_if(sizes.begin(), sizes.end(), nonzero) - sizes.begin()));
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
