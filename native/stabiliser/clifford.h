#pragma once

#include <cstdint>
#include <vector>

namespace qismc::stabiliser {

inline constexpr std::uint32_t kMostQubits = 3;

/// Conjugation by a unitary on `width` qubits.
///
/// Bit 2k of a mask stands for X on local qubit k, bit 2k + 1 for Z. A Pauli whose bits are a goes to the one
/// whose bits are the sum of images[j] over the ones of a; the sign is the sum over all monomials of the
/// products of their bits of a.
class Clifford {
  public:
    /// Throws std::invalid_argument unless the images are those of an invertible map.
    Clifford(std::uint32_t width, std::vector<std::uint32_t> images, std::vector<std::uint32_t> monomials);

    /// Bit `to` becomes the sum of both bits, or both are exchanged.
    struct Move {
        std::uint32_t to, from;
        bool exchange;
    };

    std::uint32_t width() const { return width_; }
    const std::vector<std::uint32_t>& images() const { return images_; }
    const std::vector<std::uint32_t>& monomials() const { return monomials_; }

    /// Moves that, one after the other, do what the images say.
    const std::vector<Move>& moves() const { return moves_; }

  private:
    std::uint32_t width_;
    std::vector<std::uint32_t> images_, monomials_;
    std::vector<Move> moves_;
};

}  // namespace qismc::stabiliser
