"""A second look at verdicts: other primes, and every edge checked on its own."""
