"""A source plug-in reads one prompt format into prompts."""
