OPENQASM 3.0;
include "stdgates.inc";
qubit[2] q; uint[4] k = 5; uint[4] m = ~k; uint[4] s = k << 2; uint[4] t = k >> 1;