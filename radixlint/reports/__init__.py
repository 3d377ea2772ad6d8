"""A report turns a result into text; it reads values and nothing else."""
