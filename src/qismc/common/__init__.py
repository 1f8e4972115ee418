"""Small things that every stage may use."""
