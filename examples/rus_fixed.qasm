// Repeat until success: apply (I + i sqrt(2) X)/sqrt(3) to q[1] with the help of the ancilla q[0].
// Every attempt starts with a fresh ancilla.
// Expected: safe and ends hold.
OPENQASM 3.0;
include "stdgates.inc";

//@ init |000>
//@ prop target = 1/sqrt(3) |001> + i sqrt(2)/sqrt(3) |011>
//@ spec safe: AG (leaf -> target)
//@ spec ends: P=1 [F leaf]

qubit[3] q;
bit[1] c;

x q[2];
c[0] = measure q[2];
while (c[0]) {
  reset q[0];
  h q[0];
  t q[0];
  cx q[0], q[1];
  h q[0];
  cx q[0], q[1];
  t q[0];
  h q[0];
  c[0] = measure q[0];
}
