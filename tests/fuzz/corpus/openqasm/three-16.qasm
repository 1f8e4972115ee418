OPENQASM 3.0;
include "stdgates.inc";
qubit[2] q; uint[8] k = 5; bit b = k[2]; uint[8] m = 1 << 3; uint[4] w = -1;