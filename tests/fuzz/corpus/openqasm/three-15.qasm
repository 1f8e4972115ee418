OPENQASM 3.0;
include "stdgates.inc";
qubit[2] q; uint[4] k = 7; bit[4] d = "0110"; bit[2] a = k & d; bit[2] b = d & k;