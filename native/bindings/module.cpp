#include "bindings/bindings.h"

namespace {

/// The first exception of a thread allocates memory that belongs to the thread, and the C library aborts the
/// process if there is none left. So the first one is thrown here, before memory is short.
void throw_once() {
    try {
        throw 0;
    } catch (int) {
        return;
    }
}

}  // namespace

NB_MODULE(_core, module) {
    throw_once();
#ifdef NDEBUG  // objects that tracebacks and caches hold at the end are no news to users
    nanobind::set_leak_warnings(false);
#endif
    module.doc() = "Exact and complex tensor trains: the native core of QisMC.";
    qismc::bindings::bind_field(module);
    qismc::bindings::bind_algebra(module);
    qismc::bindings::bind_columns(module);
    qismc::bindings::bind_phases(module);
    qismc::bindings::bind_graph(module);
    qismc::bindings::bind_limits(module);
    qismc::bindings::bind_vector(module);
    qismc::bindings::bind_space(module);
    qismc::bindings::bind_order(module);
    qismc::bindings::bind_stabiliser(module);
}
