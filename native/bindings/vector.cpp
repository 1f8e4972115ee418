#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstring>

#include "bindings/bindings.h"
#include "bindings/scalars.h"

namespace qismc::bindings {
namespace {

namespace nb = nanobind;

nb::bytes dump(const Vector& v) {
    const std::vector<Word> words = v.serialise();
    return nb::bytes(reinterpret_cast<const char*>(words.data()), words.size() * sizeof(Word));
}

VectorPtr restore(const nb::bytes& data) {
    if (data.size() % sizeof(Word) != 0) throw std::invalid_argument("a stored vector is truncated");
    std::vector<Word> words(data.size() / sizeof(Word));
    if (!words.empty()) std::memcpy(words.data(), data.c_str(), data.size());
    return load_vector(words);
}

}  // namespace

void bind_vector(nb::module_& module) {
    nb::class_<Vector>(module, "Vector",
                       "An immutable vector: an exact or complex tensor train, or a dense array.")
        .def(nb::new_([](const nb::bytes& data) { return std::const_pointer_cast<Vector>(restore(data)); }),
             nb::arg("data"), "The vector that dump() stored.")
        .def_prop_ro("levels", &Vector::levels)
        .def_prop_ro("bonds", &Vector::bonds, "The bonds r_0 = 1, ..., r_n = 1 of a train; empty if dense.")
        .def_prop_ro("dense", &Vector::dense)
        .def_prop_ro("nodes", &Vector::nodes, "Sum of r_k * r_{k+1}; 2^levels if dense.")
        .def(
            "to_numpy",
            [](const Vector& v) {
                auto words = v.amplitudes();
                return write(form_of(v), std::move(words), {std::size_t{1} << v.levels()});
            },
            nb::sig("def to_numpy(self) -> numpy.typing.NDArray[typing.Any]"),
            "All amplitudes; level 0 is the most significant bit of the index.")
        .def("dump", &dump, nb::sig("def dump(self) -> bytes"),
             "Everything, as bytes in this machine's byte order.")
        .def(
            "__reduce__",
            [](const Vector& v) { return nb::make_tuple(nb::type<Vector>(), nb::make_tuple(dump(v))); },
            nb::sig("def __reduce__(self) -> tuple[type[Vector], tuple[bytes]]"))
        // Last, because in the stub it hides the type of that name.
        .def_prop_ro("bytes", &Vector::bytes);
}

}  // namespace qismc::bindings
