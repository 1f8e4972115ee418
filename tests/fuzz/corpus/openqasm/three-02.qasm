OPENQASM 3.0;
include "stdgates.inc";
qubit[2] q; bit[2] c; bit d; h q; c[0] = measure q[0]; measure q[1] -> d;
        if (c[0] == true) { x q[1]; } else { y q[1]; } c = measure q;