OPENQASM 3.0;
include "stdgates.inc";
qubit[2] q; int[8] a = 3; uint[8] b = uint[8](a) - 5; bool lt = b < 10;