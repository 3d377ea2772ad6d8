"""Models and GPUs as dated tables with sources."""
