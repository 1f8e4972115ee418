#pragma once

#include <cstdint>

namespace qismc::order {

/// Work that may still be done, counted in visited pins: unlike a clock, it gives the same order on every
/// machine.
class Budget {
  public:
    explicit Budget(std::int64_t units) : left_(units) {}

    void spend(std::int64_t units) { left_ -= units; }
    bool exhausted() const { return left_ <= 0; }

  private:
    std::int64_t left_;
};

}  // namespace qismc::order
