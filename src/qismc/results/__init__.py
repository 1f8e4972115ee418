"""What a check answers: verdicts with their evidence, sizes, and the question kept as data."""
