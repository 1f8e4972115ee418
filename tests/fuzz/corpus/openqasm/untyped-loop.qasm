OPENQASM 3.0;
include "stdgates.inc";
bit[1] c;
qubit[1] q;
for _loop_i_0 in [0:2] {
  rx(0.5*_loop_i_0) q[0];
}
for _ in {1, 5, 7} { for _ in [0:2:5] { h q[0]; }
}
