"""Where requests stop matching."""
