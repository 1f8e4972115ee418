OPENQASM 3.0;
include "stdgates.inc";
qubit[3] q; let a = q[0:1]; let b = a ++ q[{2}]; h a; cx b[0], b[2]; x q[-1];
        cx q[0:1], q[1:2];