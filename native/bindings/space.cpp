#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <array>

#include "bindings/bindings.h"
#include "bindings/layout.h"
#include "bindings/scalars.h"

namespace qismc::bindings {
namespace {

namespace nb = nanobind;
using Vectors = std::vector<std::shared_ptr<Vector>>;

template <class T>
using Flat = nb::ndarray<const T, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<const T> view(const Flat<T>& array) {
    return {array.data(), array.size()};
}

std::shared_ptr<Vector> own(const VectorPtr& v) { return std::const_pointer_cast<Vector>(v); }

std::vector<VectorPtr> shared(const Vectors& vectors) { return {vectors.begin(), vectors.end()}; }

/// The state of this thread while others may run Python.
thread_local PyThreadState* away = nullptr;

void come_back() {
    if (away == nullptr) return;
    PyEval_RestoreThread(away);
    away = nullptr;
}

/// Python's handlers run, then other threads may use the interpreter until `come_back`.
void look_and_leave() {
    come_back();
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    away = PyEval_SaveThread();
}

std::shared_ptr<Space> make(const std::string& kind, int levels, Word prime, Word seed, double zero,
                            double clear, double measured, double truncation, int dense_limit,
                            double dense_fraction, Word second_prime, std::size_t first_look) {
    auto space = make_space({kind, levels, prime, second_prime, seed, zero, clear, measured, truncation,
                             dense_limit, dense_fraction, first_look});
    space->watch().set_interrupt(check_signals);
    space->set_owner({look_and_leave, come_back});
    return space;
}

std::shared_ptr<Block> compile(Space& self, const Flat<std::int32_t>& controls_ptr,
                               const Flat<std::int32_t>& controls, const Flat<std::uint8_t>& control_values,
                               const Flat<std::int32_t>& targets_ptr, const Flat<std::int32_t>& targets,
                               const Flat<std::int32_t>& matrix_index, const Flat<std::int64_t>& matrix_ptr,
                               const Scalars& entries) {
    const auto words = read_list(form_of(self), entries, "entries");
    return self.compile({view(controls_ptr), view(controls), view(control_values), view(targets_ptr),
                         view(targets), view(matrix_index), view(matrix_ptr), words});
}

std::vector<Word> read_amplitudes(const Space& self, const Scalars& amplitudes) {
    if (self.settings().levels > kMaxDenseLevels)
        throw std::invalid_argument("too many levels for amplitudes");
    return read(form_of(self), amplitudes, {std::size_t{1} << self.settings().levels}, "the amplitudes");
}

/// Words over an alphabet of one-level states, one letter for each qubit; order[k] is the qubit at level k.
Kets read_kets(const Space& self, const std::string& alphabet, const Scalars& pairs, const std::string& text,
               const Flat<std::int32_t>& order) {
    const std::size_t levels = order.size();
    if (levels != static_cast<std::size_t>(self.settings().levels) || text.size() % levels != 0) {
        throw std::invalid_argument("every word needs a letter for each level");
    }
    std::array<std::uint8_t, 256> place;
    place.fill(255);
    for (std::size_t i = 0; i < alphabet.size(); ++i) {
        place[static_cast<unsigned char>(alphabet[i])] = static_cast<std::uint8_t>(i);
    }
    Kets kets{read(form_of(self), pairs, {alphabet.size(), 2}, "the pairs"), {}};
    kets.letters.reserve(text.size());
    for (std::size_t first = 0; first < text.size(); first += levels) {
        for (std::size_t k = 0; k < levels; ++k) {
            const auto qubit = static_cast<std::size_t>(order.data()[k]);
            if (qubit >= levels) throw std::invalid_argument("the order names a qubit that is none");
            kets.letters.push_back(place[static_cast<unsigned char>(text[first + qubit])]);
        }
    }
    return kets;
}

/// The block of operators whose places are known; level_of[q] is the level of qubit q.
std::shared_ptr<Block> place(Space& self, const PyLayout& layout, const Flat<std::int32_t>& level_of,
                             const Flat<std::int64_t>& matrix_ptr, const Scalars& entries) {
    const auto on_levels = [&](const std::vector<program::Index>& qubits) {
        std::vector<std::int32_t> levels;
        levels.reserve(qubits.size());
        for (program::Index qubit : qubits) {
            if (static_cast<std::size_t>(qubit) >= level_of.size()) {
                throw std::invalid_argument("qubit " + std::to_string(qubit) + " has no level");
            }
            levels.push_back(level_of.data()[qubit]);
        }
        return levels;
    };
    const program::Layout& places = layout.places;
    const auto controls = on_levels(places.controls.items), targets = on_levels(places.targets.items);
    const auto words = read_list(form_of(self), entries, "entries");
    return self.compile({places.controls.offsets, controls, places.values, places.targets.offsets, targets,
                         places.chosen, view(matrix_ptr), words});
}

nb::object amplitude(Space& self, const std::shared_ptr<Vector>& v, const Flat<std::uint8_t>& bits) {
    if (bits.size() != static_cast<std::size_t>(self.settings().levels)) {
        throw std::invalid_argument("bits must have one entry per level (" +
                                    std::to_string(self.settings().levels) + "), got " +
                                    std::to_string(bits.size()));
    }
    return write(form_of(self), self.amplitude(v, {bits.data(), bits.data() + bits.size()}), {});
}

nb::dict statistics(Space& self) {
    const Statistics& s = self.statistics();
    nb::dict out;
    out["peak_bond"] = s.peak_bond;
    out["peak_nodes"] = s.peak_nodes;
    out["peak_bytes"] = s.peak_bytes;
    out["gates"] = s.gates;
    out["dense_switches"] = s.dense_switches;
    out["term_switches"] = s.term_switches;
    out["work"] = self.watch().total();
    return out;
}

/// A span together with the form of its coordinates.
struct PySpan {
    std::unique_ptr<Span> span;
    Form form;
};

nb::object coordinates(const PySpan& self, const std::shared_ptr<Vector>& v) {
    auto words = self.span->coordinates(v);
    if (!words) return nb::none();
    return write(self.form, std::move(*words), {static_cast<std::size_t>(self.span->dimension())});
}

nb::list meet(Space& self, const Vectors& a, const Vectors& b) {
    nb::list out;
    for (auto& words : self.meet(shared(a), shared(b)))
        out.append(write(form_of(self), std::move(words), {a.size()}));
    return out;
}

nb::tuple largest(Space& self, const std::shared_ptr<Vector>& v, int count) {
    if (count < 1) throw std::invalid_argument("count must be at least 1, got " + std::to_string(count));
    auto [bits, words] = self.largest(v, count);
    const std::size_t levels = static_cast<std::size_t>(self.settings().levels), terms = bits.size() / levels;
    auto* owned = new std::vector<std::uint8_t>(std::move(bits));
    const nb::capsule owner(owned,
                            [](void* p) noexcept { delete static_cast<std::vector<std::uint8_t>*>(p); });
    const nb::ndarray<nb::numpy, std::uint8_t> table(owned->data(), {terms, levels}, owner);
    return nb::make_tuple(nb::cast(table), write(form_of(self), std::move(words), {terms}));
}

void bind_making(nb::class_<Space>& cls) {
    cls.def(
           "product",
           [](Space& self, const Scalars& pairs) {
               const auto levels = static_cast<std::size_t>(self.settings().levels);
               return own(self.product(read(form_of(self), pairs, {levels, 2}, "the pairs")));
           },
           nb::arg("pairs"), nb::sig("def product(self, pairs: numpy.typing.NDArray[typing.Any]) -> Vector"),
           "The product of the one-level states pairs[k] = (a_k, b_k).")
        .def(
            "kets",
            [](Space& self, const std::string& alphabet, const Scalars& pairs, const std::string& text,
               const Flat<std::int32_t>& order) {
                Vectors found;
                for (const VectorPtr& v : self.kets(read_kets(self, alphabet, pairs, text, order)))
                    found.push_back(own(v));
                return found;
            },
            nb::arg("alphabet"), nb::arg("pairs"), nb::arg("text"), nb::arg("order"),
            nb::sig("def kets(self, alphabet: str, pairs: numpy.typing.NDArray[typing.Any], text: str, "
                    "order: numpy.typing.NDArray[numpy.int32]) -> list[Vector]"),
            "The products of one-level states that the words of a text spell: letter j of the alphabet is\n"
            "pairs[j], letter q of a word stands for qubit q, and order[k] is the qubit at level k.")
        .def(
            "superposition",
            [](Space& self, const std::string& alphabet, const Scalars& pairs, const std::string& text,
               const Flat<std::int32_t>& order, const Scalars& coefficients) {
                return own(self.superposition(read_kets(self, alphabet, pairs, text, order),
                                              read_list(form_of(self), coefficients, "the coefficients")));
            },
            nb::arg("alphabet"), nb::arg("pairs"), nb::arg("text"), nb::arg("order"), nb::arg("coefficients"),
            nb::sig("def superposition(self, alphabet: str, pairs: numpy.typing.NDArray[typing.Any], text: "
                    "str, order: numpy.typing.NDArray[numpy.int32], coefficients: "
                    "numpy.typing.NDArray[typing.Any]) -> Vector"),
            "The linear combination of such products.")
        .def(
            "from_amplitudes",
            [](Space& self, const Scalars& amplitudes) {
                return own(self.from_amplitudes(read_amplitudes(self, amplitudes)));
            },
            nb::arg("amplitudes"),
            nb::sig("def from_amplitudes(self, amplitudes: numpy.typing.NDArray[typing.Any]) -> Vector"),
            "The vector with these amplitudes; level 0 is the most significant bit.")
        .def(
            "array",
            [](Space& self, const Scalars& amplitudes) {
                return own(self.array(read_amplitudes(self, amplitudes)));
            },
            nb::arg("amplitudes"),
            nb::sig("def array(self, amplitudes: numpy.typing.NDArray[typing.Any]) -> Vector"),
            "The same, kept as an array whatever its rank.")
        .def(
            "combine",
            [](Space& self, const Scalars& coefficients, const Vectors& vectors) {
                return own(self.combine(read_list(form_of(self), coefficients, "the coefficients"),
                                        shared(vectors)));
            },
            nb::arg("coefficients"), nb::arg("vectors"),
            nb::sig("def combine(self, coefficients: numpy.typing.NDArray[typing.Any], vectors: "
                    "collections.abc.Sequence[Vector]) -> Vector"),
            "The linear combination.")
        .def("compile", &compile, nb::arg("controls_ptr"), nb::arg("controls"), nb::arg("control_values"),
             nb::arg("targets_ptr"), nb::arg("targets"), nb::arg("matrix_index"), nb::arg("matrix_ptr"),
             nb::arg("entries"),
             nb::sig("def compile(self, controls_ptr: numpy.typing.NDArray[numpy.int32], controls: "
                     "numpy.typing.NDArray[numpy.int32], "
                     "control_values: numpy.typing.NDArray[numpy.uint8], targets_ptr: "
                     "numpy.typing.NDArray[numpy.int32], "
                     "targets: numpy.typing.NDArray[numpy.int32], matrix_index: "
                     "numpy.typing.NDArray[numpy.int32], "
                     "matrix_ptr: numpy.typing.NDArray[numpy.int64], entries: "
                     "numpy.typing.NDArray[typing.Any]) -> Block"),
             "A block of gates from flat arrays. Gate j: if all controls match, matrix matrix_index[j] on\n"
             "its targets (the first is the lowest bit of row and column numbers), else the identity.")
        .def("place", &place, nb::arg("layout"), nb::arg("level_of"), nb::arg("matrix_ptr"),
             nb::arg("entries"),
             nb::sig("def place(self, layout: Layout, level_of: numpy.typing.NDArray[numpy.int32], "
                     "matrix_ptr: numpy.typing.NDArray[numpy.int64], "
                     "entries: numpy.typing.NDArray[typing.Any]) -> Block"),
             "The block of a layout: qubit q stands at level level_of[q], and matrix j, that of its base j,\n"
             "has the entries from matrix_ptr[j] to before matrix_ptr[j + 1].")
        .def(
            "run",
            [](Space& self, Block& block, const std::shared_ptr<Vector>& v, int first, int last) {
                return own(self.run(block, v, first, last));
            },
            nb::arg("block"), nb::arg("v"), nb::arg("first") = 0, nb::arg("last") = -1,
            "The image of v under the gates first..last-1 of the block (last = -1: up to the end).")
        .def(
            "run_all",
            [](Space& self, Block& block, const Vectors& vectors) {
                Vectors images;
                for (const VectorPtr& image : self.run_all(block, shared(vectors)))
                    images.push_back(own(image));
                return images;
            },
            nb::arg("block"), nb::arg("vectors"),
            "The images of the vectors under the whole block, on as many threads as there may be.");
}

void bind_asking(nb::class_<Space>& cls) {
    cls.def(
           "is_zero", [](Space& self, const std::shared_ptr<Vector>& v) { return self.is_zero(v); },
           nb::arg("v"))
        .def(
            "difference_is_zero",
            [](Space& self, const std::shared_ptr<Vector>& u, const std::shared_ptr<Vector>& v) {
                return self.difference_is_zero(u, v);
            },
            nb::arg("u"), nb::arg("v"), "Whether u == v, by sketches (exact kinds) or by the norm (complex).")
        .def(
            "inner",
            [](Space& self, const std::shared_ptr<Vector>& u, const std::shared_ptr<Vector>& v) {
                return write(form_of(self), self.pair_up(u, v, true), {});
            },
            nb::arg("u"), nb::arg("v"),
            nb::sig("def inner(self, u: Vector, v: Vector) -> numpy.typing.NDArray[typing.Any]"),
            "<u|v>, u conjugated; not for the kind fp.")
        .def(
            "bilinear",
            [](Space& self, const std::shared_ptr<Vector>& u, const std::shared_ptr<Vector>& v) {
                return write(form_of(self), self.pair_up(u, v, false), {});
            },
            nb::arg("u"), nb::arg("v"),
            nb::sig("def bilinear(self, u: Vector, v: Vector) -> numpy.typing.NDArray[typing.Any]"),
            "The sum over x of u(x) v(x).")
        .def("amplitude", &amplitude, nb::arg("v"), nb::arg("bits"),
             nb::sig("def amplitude(self, v: Vector, bits: numpy.typing.NDArray[numpy.uint8]) -> "
                     "numpy.typing.NDArray[typing.Any]"),
             "The amplitude of the basis state with these bits.")
        .def(
            "norm", [](Space& self, const std::shared_ptr<Vector>& v) { return self.norm(v); }, nb::arg("v"),
            "The length of v; complex only.")
        .def("largest", &largest, nb::arg("v"), nb::arg("count"),
             nb::sig("def largest(self, v: Vector, count: int) -> "
                     "tuple[numpy.typing.NDArray[typing.Any], numpy.typing.NDArray[typing.Any]]"),
             "About the `count` largest terms, largest first: (bits per term and level, amplitudes); complex "
             "only.")
        .def(
            "first", [](Space& self, const std::shared_ptr<Vector>& v) { return self.first(v); },
            nb::arg("v"),
            "The bits of the first basis state, level 0 most significant, whose amplitude is not zero; none "
            "for the zero vector. Exact kinds only.");
}

void bind_changing(nb::class_<Space>& cls) {
    cls.def(
           "scale",
           [](Space& self, const std::shared_ptr<Vector>& v, const Scalars& factor) {
               return own(self.scale(v, read(form_of(self), factor, {}, "the factor")));
           },
           nb::arg("v"), nb::arg("factor"),
           nb::sig("def scale(self, v: Vector, factor: numpy.typing.NDArray[typing.Any]) -> Vector"),
           "factor * v.")
        .def(
            "normalise", [](Space& self, const std::shared_ptr<Vector>& v) { return own(self.normalise(v)); },
            nb::arg("v"), "v at length 1; complex only.")
        .def(
            "conjugate", [](Space& self, const std::shared_ptr<Vector>& v) { return own(self.conjugate(v)); },
            nb::arg("v"))
        .def(
            "adopt", [](Space& self, const std::shared_ptr<Vector>& v) { return own(self.adopt(v)); },
            nb::arg("v"), "A copy of a vector of a like space, as one of this space.")
        .def(
            "canonical", [](Space& self, const std::shared_ptr<Vector>& v) { return own(self.canonical(v)); },
            nb::arg("v"), "v as a train; over a finite field equal vectors get equal trains.")
        .def(
            "partial",
            [](Space& self, const std::shared_ptr<Vector>& v, const std::vector<int>& kept, Space& target,
               Word seed) { return own(self.partial(v, kept, target, seed)); },
            nb::arg("v"), nb::arg("kept"), nb::arg("target"), nb::arg("seed"),
            "v at a random product functional on the levels that are not kept (increasing); exact kinds "
            "only.")
        .def(
            "parts",
            [](Space& self, const std::shared_ptr<Vector>& v, const std::vector<int>& kept, Space& target,
               const std::vector<Word>& seeds) {
                Vectors found;
                for (const Word seed : seeds) {
                    const VectorPtr part = self.partial(v, kept, target, seed);
                    if (!target.is_zero(part)) found.push_back(own(part));
                }
                return found;
            },
            nb::arg("v"), nb::arg("kept"), nb::arg("target"), nb::arg("seeds"),
            "The same for several seeds; parts that are zero are left out.")
        .def(
            "contract",
            [](Space& self, const std::shared_ptr<Vector>& v, const std::vector<int>& levels,
               const std::shared_ptr<Vector>& bra,
               Space& target) { return own(self.contract(v, levels, bra, target)); },
            nb::arg("v"), nb::arg("levels"), nb::arg("bra"), nb::arg("target"),
            "The sum over the given (increasing) levels of bra times v; bra is not conjugated.")
        .def(
            "embed",
            [](Space& self, const std::shared_ptr<Vector>& v, const std::vector<int>& levels) {
                return own(self.embed(v, levels));
            },
            nb::arg("v"), nb::arg("levels"),
            "v on the given (increasing) levels of this space, all others in state 0; exact kinds only.");
}

}  // namespace

void bind_space(nb::module_& module) {
    nb::class_<Block>(module, "Block", "A compiled run of gates.").def("__len__", &Block::size);

    nb::class_<PySpan>(module, "Span", "The span of the vectors added so far.")
        .def(
            "add", [](PySpan& self, const std::shared_ptr<Vector>& v) { return self.span->add(v); },
            nb::arg("v"), "Keeps v if it enlarges the span; whether it did.")
        .def(
            "add_all",
            [](PySpan& self, const Vectors& vectors) { return self.span->add_all(shared(vectors)); },
            nb::arg("vectors"),
            nb::sig("def add_all(self, vectors: collections.abc.Sequence[Vector]) -> list[bool]"),
            "The same for one after the other.")
        .def(
            "contains", [](PySpan& self, const std::shared_ptr<Vector>& v) { return self.span->contains(v); },
            nb::arg("v"))
        .def("coordinates", &coordinates, nb::arg("v"),
             nb::sig("def coordinates(self, v: Vector) -> numpy.typing.NDArray[typing.Any] | None"),
             "The coefficients of v on the kept vectors, or None if it is outside.")
        .def_prop_ro("dimension", [](const PySpan& self) { return self.span->dimension(); });

    const Settings defaults;
    nb::class_<Space> cls(module, "Space", "The vectors over ordered two-valued levels, over one field.");
    cls.def(nb::new_(&make), nb::arg("kind"), nb::arg("levels"), nb::arg("prime") = 0, nb::arg("seed") = 0,
            nb::arg("zero") = defaults.zero, nb::arg("clear") = defaults.clear,
            nb::arg("measured") = defaults.measured, nb::arg("truncation") = defaults.truncation,
            nb::arg("dense_limit") = defaults.dense_limit,
            nb::arg("dense_fraction") = defaults.dense_fraction, nb::arg("second_prime") = 0,
            nb::arg("first_look") = defaults.first_look);
    cls.def_prop_ro("kind", [](const Space& self) { return self.settings().kind; })
        .def_prop_ro("levels", [](const Space& self) { return self.settings().levels; })
        .def_prop_ro("prime", [](const Space& self) { return self.settings().prime; })
        .def_prop_ro("seed", [](const Space& self) { return self.settings().seed; })
        .def_prop_rw(
            "limits", [](Space& self) { return self.watch().limits(); },
            [](Space& self, const Limits& limits) { self.watch().set_limits(limits); },
            "What computations may use; the clock starts when they are set.")
        .def_prop_rw("threads", &Space::threads, &Space::set_threads,
                     "How many threads may work on independent vectors; no result depends on it.")
        .def_prop_ro("statistics", &statistics,
                     nb::for_getter(nb::sig("def statistics(self) -> dict[str, int]")),
                     "Peaks and counts since the space was made.")
        .def("span", [](Space& self) { return PySpan{self.span(), form_of(self)}; }, "An empty span.");
    bind_making(cls);
    bind_asking(cls);
    bind_changing(cls);
    module.def("meet", &meet, nb::arg("space"), nb::arg("a"), nb::arg("b"),
               nb::sig("def meet(space: Space, a: collections.abc.Sequence[Vector], b: "
                       "collections.abc.Sequence[Vector]) -> list[numpy.typing.NDArray[typing.Any]]"),
               "Coefficients on a of a basis of span(a) /\\ span(b); a must be independent.");
}

}  // namespace qismc::bindings
