"""What names in formulas mean, and the questions that a formula asks."""
