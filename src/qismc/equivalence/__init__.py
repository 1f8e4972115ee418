"""Does a program do what another one does, for every input?"""

from qismc.equivalence import equivalent
