#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "bindings/bindings.h"
#include "field/twin_field.h"
#include "limits/watch.h"
#include "space/space.h"

namespace qismc::bindings {
namespace {

namespace nb = nanobind;

/// Raises the Python class that the module keeps under `name`, with the attributes of a limit if there are
/// any.
void raise(nb::handle type, const char* message, const char* kind) {
    nb::object error = type(message);
    if (kind != nullptr) {
        error.attr("kind") = kind;
        error.attr("message") = message;
    }
    PyErr_SetObject(type.ptr(), error.ptr());
}

nb::object new_exception(nb::module_& module, const char* name, const char* doc) {
    nb::object type = nb::steal(
        PyErr_NewExceptionWithDoc((nb::cast<std::string>(module.attr("__name__")) + "." + name).c_str(), doc,
                                  PyExc_RuntimeError, nullptr));
    module.attr(name) = type;
    return type;
}

}  // namespace

void check_signals() {
    const nb::gil_scoped_acquire guard;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

void bind_limits(nb::module_& module) {
    nb::class_<Limits>(module, "Limits", "What a computation may use; None means no limit.")
        .def(
            "__init__",
            [](Limits* self, std::optional<double> seconds, std::optional<std::size_t> memory_bytes,
               std::optional<std::size_t> operations) {
                if (seconds && !(*seconds >= 0))
                    throw std::invalid_argument("the limit of seconds is negative");
                new (self) Limits{seconds, memory_bytes, operations};
            },
            nb::arg("seconds") = nb::none(), nb::arg("memory_bytes") = nb::none(),
            nb::arg("operations") = nb::none())
        .def_ro("seconds", &Limits::seconds)
        .def_ro("memory_bytes", &Limits::memory_bytes)
        .def_ro("operations", &Limits::operations, "Of a space, since it was made.");

    // The types live as long as the module, which is never unloaded.
    static PyObject* limit =
        new_exception(module, "LimitReached", "A limit was hit; kind is 'time', 'memory' or 'operations'.")
            .release()
            .ptr();
    static PyObject* doubt =
        new_exception(module, "NumericDoubt", "A float fell between zero and clearly not zero.")
            .release()
            .ptr();
    static PyObject* disagreement =
        new_exception(module, "PrimesDisagree", "A number is zero modulo one of two primes only.")
            .release()
            .ptr();
    nb::register_exception_translator([](const std::exception_ptr& pointer, void*) {
        try {
            std::rethrow_exception(pointer);
        } catch (const LimitReached& error) {
            raise(limit, error.what(), error.kind().c_str());
        } catch (const NumericDoubt& error) {
            raise(doubt, error.what(), nullptr);
        } catch (const PrimesDisagree& error) {
            raise(disagreement, error.what(), nullptr);
        }
    });
}

}  // namespace qismc::bindings
