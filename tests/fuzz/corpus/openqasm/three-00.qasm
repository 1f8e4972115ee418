OPENQASM 3.0;
include "stdgates.inc";
qubit[3] q; h q; U(0.1, 0.2, 0.3) q[0]; u3(0.1,0.2,0.3) q[1]; u2(0.1,0.2) q[2];
        p(0.4) q[0];
        cp(0.1) q[0], q[1]; cu(0.1,0.2,0.3,0.4) q[1], q[2]; ccx q[0], q[1], q[2]; phase(0.3) q[1];
        CX q[0], q[1]; cphase(0.2) q[0], q[2]; sx q[0]; rz(-pi/3) q[1];
        swap q[0], q[2]; cswap q[0], q[1], q[2];
        id q[0];