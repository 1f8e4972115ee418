OPENQASM 3.0;
include "stdgates.inc";
qubit[2] q;
bit[4] c;
const int n = 10 ** 300;
rz(pow(n, 4000)) q[0];
rz(n * n * n * n / 0) q[0];
