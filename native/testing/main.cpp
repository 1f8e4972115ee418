#include <cstdio>
#include <exception>
#include <utility>
#include <vector>

#include "testing/check.h"

namespace qismc::testing {
namespace {

struct Registry {
    std::vector<std::pair<std::string_view, void (*)()>> tests;
    int failures = 0;
};

Registry& registry() {
    static Registry instance;
    return instance;
}

}  // namespace

Test::Test(std::string_view name, void (*body)()) { registry().tests.emplace_back(name, body); }

void check(bool condition, std::source_location where) {
    if (condition) return;
    ++registry().failures;
    std::printf("%s:%u: check failed\n", where.file_name(), where.line());
}

}  // namespace qismc::testing

int main() {
    auto& [tests, failures] = qismc::testing::registry();
    for (const auto& [name, body] : tests) {
        try {
            body();
        } catch (const std::exception& error) {
            ++failures;
            std::printf("%.*s: %s\n", static_cast<int>(name.size()), name.data(), error.what());
        }
    }
    std::printf("%zu tests, %d failures\n", tests.size(), failures);
    return failures == 0 && !tests.empty() ? 0 : 1;
}
