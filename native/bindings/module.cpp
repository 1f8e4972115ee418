#include "bindings/bindings.h"

NB_MODULE(_core, module) {
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
