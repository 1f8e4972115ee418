#include "dense/blockwise.h"

#include <random>

#include "field/complex_field.h"
#include "field/prime_field.h"
#include "testing/check.h"

namespace {

using namespace qismc;
using testing::check;
using testing::Test;

constexpr int kLevels = 8;

template <class F>
struct Fixture {
    using S = typename F::Scalar;

    explicit Fixture(Word modulus) : context{F(modulus), watch} {}

    Dense<F> array() {
        Dense<F> v{kLevels, {}};
        for (int i = 0; i < 1 << kLevels; ++i) v.amplitudes.push_back(context.field.random(random));
        return v;
    }

    Gate<F> gate() {
        std::vector<int> levels(kLevels);
        for (int k = 0; k < kLevels; ++k) levels[k] = k;
        std::shuffle(levels.begin(), levels.end(), random);
        const int controls = static_cast<int>(random() % 3), targets = 1 + static_cast<int>(random() % 2);
        Gate<F> gate;
        for (int k = 0; k < controls; ++k)
            gate.controls.push_back({levels[k], static_cast<int>(random() % 2)});
        for (int k = 0; k < targets; ++k) gate.targets.push_back(levels[controls + k]);
        gate.op = std::make_shared<Operator<F>>(context, matrix(2 << (targets - 1)));
        return gate;
    }

    /// Any matrix, a diagonal one, or one that exchanges.
    Matrix<S> matrix(int side) {
        Matrix<S> m(side, side);
        const auto kind = random() % 3;
        for (int i = 0; i < side; ++i) {
            for (int j = 0; j < side; ++j) {
                if (kind == 0 || (kind == 1 && i == j)) m(i, j) = context.field.random(random);
                if (kind == 2 && j == (side == 4 && (i == 0 || i == 3) ? i : side - 1 - i)) {
                    m(i, j) = context.field.one();
                }
            }
        }
        return m;
    }

    Watch watch;
    Context<F> context;
    std::mt19937_64 random{7};
};

/// Whatever the blocks are, the array is the one that the gates make one by one.
template <class F>
void compare(Word modulus) {
    Fixture<F> f(modulus);
    for (const BlockSizes sizes :
         {BlockSizes{2, 4, 0}, BlockSizes{0, 3, 0}, BlockSizes{3, 8, 0}, BlockSizes{}}) {
        std::vector<Gate<F>> gates;
        std::vector<const Gate<F>*> listed;
        for (int k = 0; k < 60; ++k) gates.push_back(f.gate());
        for (const auto& gate : gates) listed.push_back(&gate);
        Dense<F> blockwise = f.array(), plain = blockwise;
        for (const auto& gate : gates) apply_dense(f.context, plain, gate);
        apply_blockwise<F>(f.context, blockwise, listed, sizes);
        check(blockwise.amplitudes == plain.amplitudes);
    }
}

const Test exact{"gates on blocks of an array are gates on the array, exactly",
                 [] { compare<PrimeField>((Word{1} << 61) - 1); }};
const Test complex{"the same in floating point, to the last bit", [] { compare<ComplexField>(0); }};

const Test diagonal{
    "a diagonal matrix on two levels multiplies", [] {
        Fixture<PrimeField> f((Word{1} << 61) - 1);
        const auto& field = f.context.field;
        Matrix<Word> m(4, 4);
        for (int i = 0; i < 4; ++i) m(i, i) = field.random(f.random);
        const Gate<PrimeField> gate{{{1, 0}}, {6, 3}, std::make_shared<Operator<PrimeField>>(f.context, m)};
        Dense<PrimeField> v = f.array();
        const auto before = v.amplitudes;
        apply_dense(f.context, v, gate);
        for (std::size_t i = 0; i < before.size(); ++i) {
            const int entry = static_cast<int>(i >> 1 & 1) + 2 * static_cast<int>(i >> 4 & 1);
            const bool acts = (i >> 6 & 1) == 0;
            check(v.amplitudes[i] == (acts ? field.mul(before[i], m(entry, entry)) : before[i]));
        }
    }};

}  // namespace
