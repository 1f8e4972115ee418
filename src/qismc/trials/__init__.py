"""The same questions asked about many variants of a program."""
