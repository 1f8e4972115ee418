"""Independent pieces of work on processes."""
