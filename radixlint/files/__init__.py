"""Prompt files on disk: which to read, how much, and what not to open."""
