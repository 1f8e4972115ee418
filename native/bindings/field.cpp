#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "bindings/bindings.h"
#include "field/long_quadratic_field.h"
#include "field/quadratic_field.h"

namespace qismc::bindings {
namespace {

namespace nb = nanobind;
using Pair = std::pair<Word, Word>;

/// F_p, and F_p(i) where p = 3 mod 4, for scalar use from Python.
class Field {
  public:
    explicit Field(Word p) : base_(p) {
        if (p % 4 == 3) extension_.emplace(p);
    }

    Word modulus() const { return base_.modulus(); }

    template <class Operation>
    Word on_residues(Operation operation) const {
        Word out = 0;
        base_.store(operation(base_), &out);
        return out;
    }

    template <class Operation>
    Pair on_pairs(Operation operation) const {
        const QuadraticField field = extension_ ? *extension_ : QuadraticField(modulus());
        Word out[2];
        field.store(operation(field), out);
        return {out[0], out[1]};
    }

  private:
    PrimeField base_;
    std::optional<QuadraticField> extension_;
};

Gaussian load(const QuadraticField& field, Pair a) {
    const Word raw[2] = {a.first, a.second};
    return field.load(raw);
}

template <class Operation>
void bind_binary(nb::class_<Field>& cls, const char* name, Operation operation) {
    cls.def(
        name,
        [operation](const Field& self, Word a, Word b) {
            return self.on_residues([&](const auto& f) { return operation(f, f.load(&a), f.load(&b)); });
        },
        nb::arg("a"), nb::arg("b"));
    cls.def(
        name,
        [operation](const Field& self, Pair a, Pair b) {
            return self.on_pairs([&](const auto& f) { return operation(f, load(f, a), load(f, b)); });
        },
        nb::arg("a"), nb::arg("b"));
}

void bind_powers(nb::class_<Field>& cls) {
    cls.def(
        "inv",
        [](const Field& self, Word a) {
            return self.on_residues([&](const auto& f) { return f.inv(f.load(&a)); });
        },
        nb::arg("a"));
    cls.def(
        "inv",
        [](const Field& self, Pair a) {
            return self.on_pairs([&](const auto& f) { return f.inv(load(f, a)); });
        },
        nb::arg("a"));
    cls.def(
        "pow",
        [](const Field& self, Word a, Word exponent) {
            return self.on_residues([&](const auto& f) { return f.pow(f.load(&a), exponent); });
        },
        nb::arg("a"), nb::arg("exponent"));
    cls.def(
        "pow",
        [](const Field& self, Pair a, Word exponent) {
            return self.on_pairs([&](const auto& f) { return f.pow(load(f, a), exponent); });
        },
        nb::arg("a"), nb::arg("exponent"));
    cls.def(
        "conj",
        [](const Field& self, Pair a) {
            return self.on_pairs([&](const auto& f) { return f.conj(load(f, a)); });
        },
        nb::arg("a"), "Frobenius: (re, im) to (re, -im).");
}

}  // namespace

void bind_field(nb::module_& module) {
    nb::class_<Field> cls(module, "Field",
                          "F_p on residues; on pairs (re, im) its extension F_p(i), for p = 3 mod 4.");
    cls.def(nb::init<Word>(), nb::arg("prime"));
    cls.def_prop_ro("prime", &Field::modulus);
    bind_binary(cls, "add", [](const auto& f, auto a, auto b) { return f.add(a, b); });
    bind_binary(cls, "sub", [](const auto& f, auto a, auto b) { return f.sub(a, b); });
    bind_binary(cls, "mul", [](const auto& f, auto a, auto b) { return f.mul(a, b); });
    bind_powers(cls);
    cls.def(
        "is_square", [](const Field& self, Word a) { return is_square(a, self.modulus()); }, nb::arg("a"));
    cls.def(
        "sqrt", [](const Field& self, Word a) { return square_root(a, self.modulus()); }, nb::arg("a"),
        "The smaller square root in F_p, or None.");
    module.def("is_prime", &is_prime, nb::arg("n"), "Whether n < 2^64 is prime.");
    module.def(
        "drawn_prime",
        [](const nb::bytes& random, Word low, Word count, Word step, std::int64_t residue,
           const std::vector<Word>& radicands) {
            std::vector<Word> words(random.size() / sizeof(Word));
            std::memcpy(words.data(), random.data(), words.size() * sizeof(Word));
            return drawn_prime(words, {low, count, step, residue}, radicands);
        },
        nb::arg("random"), nb::arg("low"), nb::arg("count"), nb::arg("step"), nb::arg("residue"),
        nb::arg("radicands"),
        "The first prime (low + x) step + residue, modulo which all radicands are squares, that random "
        "words\n"
        "of 8 bytes draw: x is the top bits of a word, and words that give no x < count draw nothing.");
    module.def(
        "have_quarters",
        [](Word p, const std::vector<Pair>& cosines) {
            require_field_prime(p);
            return std::all_of(cosines.begin(), cosines.end(),
                               [p](const Pair& c) { return has_quarter({c.first, c.second}, p); });
        },
        nb::arg("prime"), nb::arg("cosines"),
        "Whether e^{it/4} exists for all angles t with the given cos^2(t/2), fractions (top, bottom): with "
        "norm 1\n"
        "in F_p(i) if p = 3 mod 4, else in F_p.");
    module.def("is_long_prime", &LongField::is_prime, nb::arg("h"),
               "Whether h 2^64 + 1 is a prime between 2^125 and 2^126; says no to one prime in 250,000.");
    module.def("is_long_conjugating_prime", &LongQuadraticField::is_prime, nb::arg("h"),
               "Whether h 2^64 - 1 is a prime between 2^125 and 2^126; says no to few primes.");
}

}  // namespace qismc::bindings
