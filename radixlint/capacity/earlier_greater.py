"""Sums over the earlier entries of a list that are greater, for all entries at once: a Fenwick tree's answers, in bulk."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


def earlier_greater_sums(values: Ints, weights: Ints) -> Ints:
    """Return for each entry the summed weights of those before it with a greater value; values are >= 0.

    Entries with equal upper bits form groups, in their order. At each bit, from the highest, the entries with a 0 gain
    what stands before them in their group with a 1; then each group parts into its zeros and its ones. Cost: a few vector
    steps a bit.
    """
    count = len(values)
    sums, order = np.zeros(count, np.int64), np.arange(count)
    start, end = np.zeros(count, np.int64), np.full(count, count, np.int64)
    place = np.arange(count)
    for bit in range(int(values.max(initial=0)).bit_length() - 1, -1, -1):
        is_one = (values[order] >> bit & 1).astype(bool)
        weight_before = sums_before(np.where(is_one, weights[order], 0))
        sums[order] += np.where(is_one, 0, weight_before[place] - weight_before[start])
        ones_before = sums_before(is_one.astype(np.int64))
        ones = ones_before[place] - ones_before[start]
        border = end - (ones_before[end] - ones_before[start])
        target = np.where(is_one, border + ones, place - ones)
        start, end = np.where(is_one, border, start), np.where(is_one, end, border)
        moved = np.empty((3, count), np.int64)
        moved[:, target] = order, start, end
        order, start, end = moved
    return sums


def sums_before(values: Ints) -> Ints:
    """Return the sum of the first n values, for n from 0 to all."""
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(values)))
