#include "bindings/scalars.h"

#include <cstring>
#include <memory>
#include <stdexcept>

namespace qismc::bindings {
namespace {

namespace nb = nanobind;

std::vector<std::size_t> outer_shape(Form form, const Scalars& array, const char* name) {
    const auto type = form.exact ? nb::dtype<std::uint64_t>() : nb::dtype<std::complex<double>>();
    if (array.dtype() != type) {
        throw nb::type_error(
            (std::string(name) + " must be an array of " + (form.exact ? "uint64" : "complex128")).c_str());
    }
    std::vector<std::size_t> shape;
    for (std::size_t i = 0; i < array.ndim(); ++i) shape.push_back(array.shape(i));
    if (!form.exact || form.words == 1) return shape;
    if (shape.empty() || shape.back() != static_cast<std::size_t>(form.words)) {
        throw std::invalid_argument(std::string(name) + " must have a last axis of length " +
                                    std::to_string(form.words) + ", the words of a number");
    }
    shape.pop_back();
    return shape;
}

std::string text(const std::vector<std::size_t>& shape) {
    std::string out = "(";
    for (const std::size_t n : shape) out += std::to_string(n) + ",";
    return out + ")";
}

std::vector<Word> words_of(const Scalars& array) {
    const std::size_t bytes = array.size() * array.itemsize();
    std::vector<Word> words(bytes / sizeof(Word));
    if (bytes > 0) std::memcpy(words.data(), array.data(), bytes);
    return words;
}

}  // namespace

std::vector<Word> read(Form form, const Scalars& array, const std::vector<std::size_t>& shape,
                       const char* name) {
    const auto given = outer_shape(form, array, name);
    if (given != shape) {
        throw std::invalid_argument(std::string(name) + " must have the shape " + text(shape) + ", got " +
                                    text(given));
    }
    return words_of(array);
}

std::vector<Word> read_list(Form form, const Scalars& array, const char* name) {
    const auto given = outer_shape(form, array, name);
    if (given.size() != 1) {
        throw std::invalid_argument(std::string(name) + " must be one-dimensional, got the shape " +
                                    text(given));
    }
    return words_of(array);
}

nb::object write(Form form, std::vector<Word> words, const std::vector<std::size_t>& shape) {
    auto owned = std::make_unique<std::vector<Word>>(std::move(words));
    void* data = owned->data();
    const nb::capsule owner(owned.get(), [](void* p) noexcept { delete static_cast<std::vector<Word>*>(p); });
    owned.release();
    std::vector<std::size_t> full = shape;
    if (form.exact && form.words > 1) full.push_back(static_cast<std::size_t>(form.words));
    if (form.exact) {
        return nb::cast(nb::ndarray<nb::numpy, std::uint64_t>(data, full.size(), full.data(), owner));
    }
    return nb::cast(nb::ndarray<nb::numpy, std::complex<double>>(data, full.size(), full.data(), owner));
}

}  // namespace qismc::bindings
