"""Forged certificates: none whose claims are false may be accepted."""
