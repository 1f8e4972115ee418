#pragma once

#include <algorithm>
#include <initializer_list>
#include <vector>

namespace qismc {

/// A list that is mostly short: up to `Inline` items need no memory of their own.
template <class T, int Inline>
class Few {
  public:
    Few() = default;
    Few(std::initializer_list<T> items) : Few(items.begin(), items.end()) {}
    template <class Iterator>
    Few(Iterator begin, Iterator end) {
        for (; begin != end; ++begin) push_back(*begin);
    }

    void push_back(const T& item) {
        if (size_ == Inline) many_.assign(few_, few_ + Inline);
        if (size_ < Inline) {
            few_[size_] = item;
        } else {
            many_.push_back(item);
        }
        ++size_;
    }

    void pop_back() {
        --size_;
        if (size_ >= Inline) many_.pop_back();
        if (size_ == Inline) {
            std::copy(many_.begin(), many_.end(), few_);
            many_.clear();
        }
    }

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    const T* data() const { return size_ > Inline ? many_.data() : few_; }
    const T* begin() const { return data(); }
    const T* end() const { return data() + size_; }
    const T& operator[](std::size_t k) const { return data()[k]; }
    const T& front() const { return *begin(); }
    const T& back() const { return *(end() - 1); }
    bool operator==(const Few& other) const { return std::equal(begin(), end(), other.begin(), other.end()); }

  private:
    std::size_t size_ = 0;
    T few_[Inline]{};
    std::vector<T> many_;  // all items, where they are more
};

}  // namespace qismc
