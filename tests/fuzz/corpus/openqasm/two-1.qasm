OPENQASM 2.0;
include "qelib1.inc";
qreg q[2]; qreg r[2]; qreg w[1]; creg c[2];
h q; cx q, r; cx q[0], r; ccx q, r, w[0];
barrier q, r[1];
measure r -> c;
reset q;
