OPENQASM 3.0;
include "stdgates.inc";
qubit[2] q; bit[2] c = 7; bit[4] d = "1011"; c = uint[2](d); uint[8] k = d; uint[2] m = d; d = uint[4](c); k &= c;