OPENQASM 3.0;
include "stdgates.inc";
qubit[2] q; const uint n = 3; const float x = n / 2.0; uint[4] k = n; for int i in [n:-1:1] { k += i; }