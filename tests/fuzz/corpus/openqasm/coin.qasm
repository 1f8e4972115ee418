OPENQASM 3.0;
include "stdgates.inc";
qubit[2] q;
bit[2] c;
h q[0];
//@ mark tossed
c[0] = measure q[0];
while (c[0]) {
  h q[0];
  c[0] = measure q[0];
}
//@ prop zero_left = |0> on q[0]
//@ spec safe: AG (leaf -> zero_left)
//@ spec P=1 [F leaf]
