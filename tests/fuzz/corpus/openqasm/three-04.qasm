OPENQASM 3.0;
include "stdgates.inc";
qubit[2] q; int[4] k = 7; k += 1;