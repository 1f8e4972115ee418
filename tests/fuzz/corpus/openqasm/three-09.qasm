OPENQASM 3.0;
include "stdgates.inc";
qubit[2] q; int[8] k = 300;