OPENQASM 3.0;
include "stdgates.inc";
qubit[4] q; h q; ctrl @ x q[0], q[1]; negctrl @ ctrl @ rx(0.3) q[0], q[1], q[2];
        inv @ t q[0];
        ctrl(2) @ inv @ s q[0], q[1], q[3]; inv @ ctrl @ rz(0.2) q[2], q[3]; pow(2) @ t q[1];