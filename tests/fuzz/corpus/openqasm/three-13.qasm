OPENQASM 3.0;
include "stdgates.inc";
qubit[2] q; bit[4] c = "01_01"; bit[2] d = c[2:3]; c[0:1] = "10"; bit b = "1"; bool e = c[0] == "0";