"""Click options and exit codes, nothing else."""
