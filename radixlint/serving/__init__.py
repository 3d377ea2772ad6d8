"""Requests that wait, a policy that picks, a cache that answers."""
