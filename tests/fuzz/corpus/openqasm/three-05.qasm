OPENQASM 3.0;
include "stdgates.inc";
qubit[2] q; int[8] k = -7; int[8] m = k / 2; int[8] r = k % 2;