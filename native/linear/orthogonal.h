#pragma once

#include <complex>
#include <functional>

#include "field/complex_field.h"
#include "linear/matrix.h"

namespace qismc {

using Complex = std::complex<double>;
using ComplexMatrix = Matrix<Complex>;

/// Called again and again by what takes long on large matrices; it may throw.
using Pause = std::function<void()>;

struct ComplexFactors {
    ComplexMatrix left, right;
};

ComplexMatrix adjoint(const ComplexMatrix& m);
double norm(const ComplexMatrix& m);
double norm(const std::vector<Complex>& x);

/// m = left * right with orthonormal columns in left (Gram-Schmidt, twice where digits were lost; dependent
/// columns are dropped).
ComplexFactors orthonormal_columns(const ComplexMatrix& m, const Pause& pause = {});

/// m = left * right up to truncation * |m| (in the Frobenius norm), with orthonormal columns in left, which
/// are as few as Gram-Schmidt with pivots finds (one is always kept).
ComplexFactors truncated_columns(const ComplexMatrix& m, const Pause& pause = {},
                                 double truncation = kTruncation);

/// The same with orthonormal rows in right.
ComplexFactors truncated_rows(const ComplexMatrix& m, const Pause& pause = {},
                              double truncation = kTruncation);

/// m = u * diag(values) * v with orthonormal columns in u and rows in v; by decreasing values, none dropped
/// except exact zeros.
struct SingularValues {
    ComplexMatrix u;
    std::vector<double> values;
    ComplexMatrix v;
};
SingularValues singular_values(const ComplexMatrix& m, const Pause& pause = {});

}  // namespace qismc
