"""Caches that keep blocks, each filed under itself and all before it; they know integers only."""
