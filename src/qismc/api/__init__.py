"""What users call: thin functions and classes over everything else."""
