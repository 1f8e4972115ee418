OPENQASM 3.0;
include "stdgates.inc";
qubit[2] q; uint[2] k = 1; switch (k) { case 0 { k = 3; } case 1, 2 { k = 2; } }