#pragma once

#include <numeric>
#include <vector>

#include "linear/matrix.h"

namespace qismc {

/// Rows and columns of a matrix that have no entries with others in common, in increasing order.
struct Part {
    std::vector<int> rows, cols;
};

/// The parts into which a matrix falls where some entries are left out (`counts(i, j)` says which ones stay);
/// rows and columns without entries are in none. States of circuits with few kinds of gates have many parts.
template <class S, class Counts>
std::vector<Part> parts_of(const Matrix<S>& m, Counts counts) {
    std::vector<int> parent(m.cols), anchor(m.rows, -1);
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&](int j) {
        while (parent[j] != j) j = parent[j] = parent[parent[j]];
        return j;
    };
    int groups = m.cols;
    for (int i = 0; i < m.rows; ++i) {
        for (int j = 0; j < m.cols && !(groups == 1 && anchor[i] >= 0); ++j) {
            if (!counts(i, j)) continue;
            if (anchor[i] < 0) anchor[i] = j;
            const int a = root(anchor[i]), b = root(j);
            if (a == b) continue;
            parent[b] = a;
            --groups;
        }
    }
    std::vector<int> number(m.cols, -1);
    std::vector<Part> parts;
    for (int i = 0; i < m.rows; ++i) {
        if (anchor[i] < 0) continue;
        int& part = number[root(anchor[i])];
        if (part < 0) {
            part = static_cast<int>(parts.size());
            parts.emplace_back();
        }
        parts[part].rows.push_back(i);
    }
    for (int j = 0; j < m.cols; ++j) {
        if (const int part = number[root(j)]; part >= 0) parts[part].cols.push_back(j);
    }
    return parts;
}

/// The matrix of a part.
template <class S>
Matrix<S> cut_out(const Matrix<S>& m, const Part& part) {
    Matrix<S> cut(static_cast<int>(part.rows.size()), static_cast<int>(part.cols.size()));
    S* entry = cut.data.data();
    for (const int i : part.rows) {
        for (const int j : part.cols) *entry++ = m(i, j);
    }
    return cut;
}

}  // namespace qismc
