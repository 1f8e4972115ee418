"""Classical values as Boolean functions of recorded outcomes: shared by levels and stabilisers."""
