"""Hit rate against the size of the cache, for all sizes in one pass."""

from radixlint.capacity.curve_points import CurveOptions, capacity_curve

__all__ = ["CurveOptions", "capacity_curve"]
