"""Joins the steps: the only package that does."""
