"""Edits: small changes of a program, as data that can be applied, printed, sent and tried."""
