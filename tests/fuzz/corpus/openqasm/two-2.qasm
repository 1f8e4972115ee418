OPENQASM 2.0;
include "qelib1.inc";

gate rot(a, b) x, y { rx(a/2) x; barrier x, y; cx x, y; rz(-b*2) y; }
gate twice(t) x, y { rot(t, sin(t)) x, y; rot(-t, t^2) y, x; U(0, t, 0) x; CX x, y; }
gate nothing a { }
qreg q[2];
twice(pi/3) q[1], q[0];
nothing q[0];
rot(0.1, 0.2) q[0], q[1];
