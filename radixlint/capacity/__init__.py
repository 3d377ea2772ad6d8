"""Hit rate against the size of the cache, for all sizes in one pass."""
