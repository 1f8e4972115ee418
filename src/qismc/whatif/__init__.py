"""The same questions asked about variants of a program."""
