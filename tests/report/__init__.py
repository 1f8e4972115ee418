"""Tests of the pictures and reports."""
