"""A log plug-in reads one log format into requests."""
