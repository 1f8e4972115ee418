#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <string>
#include <vector>

#include "space/space.h"

namespace qismc::bindings {

/// Any array of scalars: uint64[...] (fp), uint64[..., 2] (fp2, twin, long), uint64[..., 4] (long2) or
/// complex128[...].
using Scalars = nanobind::ndarray<nanobind::numpy, nanobind::ro, nanobind::c_contig, nanobind::device::cpu>;

/// What an array of scalars must look like.
struct Form {
    int words;
    bool exact;
};

inline Form form_of(const Space& space) {
    return {space.words_per_scalar(), space.settings().kind != "complex"};
}
inline Form form_of(const Vector& v) { return {v.words_per_scalar(), v.exact()}; }

/// The array's words, after a check of its type and, unless empty, of its shape without the axis of (re, im).
std::vector<Word> read(Form form, const Scalars& array, const std::vector<std::size_t>& shape,
                       const char* name);

/// A new array of the form's type; `shape` is without the axis of (re, im).
nanobind::object write(Form form, std::vector<Word> words, const std::vector<std::size_t>& shape);

/// As many words as the form's scalars take; any one-dimensional number of them.
std::vector<Word> read_list(Form form, const Scalars& array, const char* name);

}  // namespace qismc::bindings
