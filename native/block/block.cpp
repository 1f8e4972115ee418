#include "block/block.h"

#include <vector>

namespace qismc {
namespace {

constexpr int kMaxTargets = 10;  // a matrix of 2^20 entries: larger ones are not local maps any more

[[noreturn]] void fail(const std::string& message) { throw std::invalid_argument(message); }

template <class Integer>
void check_offsets(std::span<const Integer> offsets, std::size_t count, std::size_t end, const char* name) {
    const std::string what(name);
    if (offsets.size() != count + 1 || offsets[0] != 0 || static_cast<std::size_t>(offsets[count]) != end) {
        fail(what + " must hold " + std::to_string(count + 1) + " offsets from 0 to " + std::to_string(end));
    }
    for (std::size_t j = 0; j < count; ++j) {
        if (offsets[j] > offsets[j + 1]) fail(what + " decreases at " + std::to_string(j));
    }
}

/// `last` is the last gate so far, counted from 1, that each level appears in.
void check_levels(const FlatGates& flat, std::size_t j, std::vector<std::size_t>& last) {
    const int levels = static_cast<int>(last.size());
    const auto visit = [&](int level) {
        if (level < 0 || level >= levels) {
            fail("gate " + std::to_string(j) + ": level " + std::to_string(level) + " is not in 0.." +
                 std::to_string(levels - 1));
        }
        if (last[level] == j + 1) {
            fail("gate " + std::to_string(j) + ": level " + std::to_string(level) + " appears twice");
        }
        last[level] = j + 1;
    };
    for (int i = flat.controls_ptr[j]; i < flat.controls_ptr[j + 1]; ++i) {
        visit(flat.controls[i]);
        if (flat.control_values[i] > 1)
            fail("gate " + std::to_string(j) + ": a control value is neither 0 nor 1");
    }
    for (int i = flat.targets_ptr[j]; i < flat.targets_ptr[j + 1]; ++i) visit(flat.targets[i]);
}

void check_matrix(const FlatGates& flat, std::size_t j) {
    const auto index = flat.matrix_index[j];
    const auto fail = [j](const std::string& what) { qismc::fail("gate " + std::to_string(j) + what); };
    if (index < 0 || static_cast<std::size_t>(index) + 1 >= flat.matrix_ptr.size()) {
        fail(": there is no matrix " + std::to_string(index));
    }
    const int targets = flat.targets_ptr[j + 1] - flat.targets_ptr[j];
    if (targets > kMaxTargets) {
        fail(": " + std::to_string(targets) + " targets; at most " + std::to_string(kMaxTargets) +
             " are supported, decompose the matrix");
    }
    const auto entries = flat.matrix_ptr[index + 1] - flat.matrix_ptr[index];
    if (entries != std::int64_t{1} << (2 * targets)) {
        fail(": matrix " + std::to_string(index) + " has " + std::to_string(entries) + " entries, but " +
             std::to_string(targets) + " targets need " + std::to_string(std::int64_t{1} << (2 * targets)));
    }
}

}  // namespace

void validate(const FlatGates& flat, int levels, int words_per_scalar) {
    const std::size_t count = flat.matrix_index.size();
    check_offsets(flat.controls_ptr, count, flat.controls.size(), "controls_ptr");
    check_offsets(flat.targets_ptr, count, flat.targets.size(), "targets_ptr");
    if (flat.control_values.size() != flat.controls.size())
        fail("control_values and controls differ in length");
    if (flat.matrix_ptr.empty()) fail("matrix_ptr is empty");
    check_offsets(flat.matrix_ptr, flat.matrix_ptr.size() - 1, flat.entries.size() / words_per_scalar,
                  "matrix_ptr");
    for (std::size_t m = 0; m + 1 < flat.matrix_ptr.size(); ++m) {
        const auto entries = flat.matrix_ptr[m + 1] - flat.matrix_ptr[m];
        if ((entries & (entries - 1)) != 0 || entries == 0 || (entries & 0x5555555555555555) == 0) {
            fail("matrix " + std::to_string(m) + " has " + std::to_string(entries) + " entries: not 4^t");
        }
    }
    std::vector<std::size_t> last(levels, 0);
    for (std::size_t j = 0; j < count; ++j) {
        check_levels(flat, j, last);
        check_matrix(flat, j);
    }
}

}  // namespace qismc
