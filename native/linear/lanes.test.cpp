#include "linear/lanes.h"

#include <cmath>
#include <random>
#include <vector>

#include "linear/wide.h"
#include "testing/check.h"

namespace {

using namespace qismc;
using testing::check;
using testing::Test;
using Complex = std::complex<double>;

struct Vector {
    std::vector<double> re, im;
    lanes::Parts parts() const { return {re.data(), im.data()}; }
    Complex at(int i) const { return {re[i], im[i]}; }
};

Vector random_vector(std::mt19937_64& random, int n) {
    std::uniform_real_distribution<double> unit(-1, 1);
    Vector v;
    for (int i = 0; i < n; ++i) {
        v.re.push_back(unit(random));
        v.im.push_back(unit(random));
    }
    return v;
}

const Test lengths{"products and differences of long vectors, the same on any registers", [] {
                       std::mt19937_64 random(3);
                       for (const int n : {0, 1, 7, 8, 9, 32, 100, 515}) {
                           const Vector x = random_vector(random, n), y = random_vector(random, n);
                           const Complex z{0.3, -1.7};
                           Complex expected;
                           for (int i = 0; i < n; ++i) expected += std::conj(x.at(i)) * y.at(i);
                           Vector wide = y, narrow = y;
                           const Complex product = lanes::dot(x.parts(), y.parts(), n);
                           lanes::subtract(z, x.parts(), wide.re.data(), wide.im.data(), n);
                           wide::allow(false);
                           check(lanes::dot(x.parts(), y.parts(), n) == product);
                           lanes::subtract(z, x.parts(), narrow.re.data(), narrow.im.data(), n);
                           wide::allow(true);
                           check(std::abs(product - expected) < 1e-12);
                           check(wide.re == narrow.re && wide.im == narrow.im);
                           for (int i = 0; i < n; ++i) {
                               check(std::abs(wide.at(i) - (y.at(i) - z * x.at(i))) < 1e-14);
                           }
                       }
                   }};

}  // namespace
