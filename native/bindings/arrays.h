#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <utility>
#include <vector>

namespace qismc::bindings {

template <class Scalar>
using Given = nanobind::ndarray<nanobind::numpy, Scalar, nanobind::ndim<1>>;

/// A vector as an array that owns it.
template <class Scalar>
Given<Scalar> to_numpy(std::vector<Scalar> values) {
    auto* kept = new std::vector<Scalar>(std::move(values));
    const nanobind::capsule owner(
        kept, [](void* data) noexcept { delete static_cast<std::vector<Scalar>*>(data); });
    return {kept->data(), {kept->size()}, owner};
}

}  // namespace qismc::bindings
