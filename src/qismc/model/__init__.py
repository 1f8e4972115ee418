"""A program with its start, annotations and numbers: what everything else is asked of."""
