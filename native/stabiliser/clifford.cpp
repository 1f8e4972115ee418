#include "stabiliser/clifford.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace qismc::stabiliser {
namespace {

/// Moves whose product is the matrix with these columns: what reduces it to the identity, backwards.
std::vector<Clifford::Move> decomposed(const std::vector<std::uint32_t>& columns) {
    const auto count = static_cast<std::uint32_t>(columns.size());
    std::vector<std::uint32_t> rows(count);
    for (std::uint32_t j = 0; j < count; ++j) {
        for (std::uint32_t k = 0; k < count; ++k) rows[k] |= (columns[j] >> k & 1) << j;
    }
    std::vector<Clifford::Move> found;
    for (std::uint32_t j = 0; j < count; ++j) {
        std::uint32_t pivot = j;
        while (pivot < count && !(rows[pivot] >> j & 1)) ++pivot;
        if (pivot == count) throw std::invalid_argument("the images of a gate are not independent");
        if (pivot != j) {
            std::swap(rows[pivot], rows[j]);
            found.push_back({j, pivot, true});
        }
        for (std::uint32_t k = 0; k < count; ++k) {
            if (k == j || !(rows[k] >> j & 1)) continue;
            rows[k] ^= rows[j];
            found.push_back({k, j, false});
        }
    }
    std::reverse(found.begin(), found.end());
    return found;
}

}  // namespace

Clifford::Clifford(std::uint32_t width, std::vector<std::uint32_t> images,
                   std::vector<std::uint32_t> monomials)
    : width_(width), images_(std::move(images)), monomials_(std::move(monomials)) {
    const std::uint64_t end = std::uint64_t{1} << (2 * std::min(width, kMostQubits));
    const auto outside = [end](std::uint32_t mask) { return mask >= end; };
    if (width > kMostQubits || images_.size() != 2 * std::size_t{width} ||
        std::any_of(images_.begin(), images_.end(), outside) ||
        std::any_of(monomials_.begin(), monomials_.end(), outside)) {
        throw std::invalid_argument("a gate has at most " + std::to_string(kMostQubits) +
                                    " qubits and two images for each of them");
    }
    moves_ = decomposed(images_);
}

}  // namespace qismc::stabiliser
