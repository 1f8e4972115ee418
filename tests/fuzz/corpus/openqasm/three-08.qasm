OPENQASM 3.0;
include "stdgates.inc";
qubit[2] q; bit[4] c; uint[4] k = 9; c[k] = 1;