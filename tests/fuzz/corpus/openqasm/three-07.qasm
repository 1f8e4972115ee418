OPENQASM 3.0;
include "stdgates.inc";
qubit[2] q; bit[4] c; c[1] = 1; c[2:3] = 2; bit e = c[3];