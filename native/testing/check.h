#pragma once

#include <source_location>
#include <string_view>

namespace qismc::testing {

/// Registers a test at start-up: static const Test t{"name", [] { ... }};
struct Test {
    Test(std::string_view name, void (*body)());
};

/// Counts a failure, with its position, unless the condition holds.
void check(bool condition, std::source_location where = std::source_location::current());

template <class Exception, class Action>
void check_throws(Action action, std::source_location where = std::source_location::current()) {
    try {
        action();
    } catch (const Exception&) {
        return;
    }
    check(false, where);
}

}  // namespace qismc::testing
