"""Numbers by keys of 64 bits, in 12 bytes each: a dict takes ten times as much, and a long log has many messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class SeenNumbers:
    """Numbers of keys, added and looked up many at a time.

    >>> import numpy as np
    >>> seen = SeenNumbers()
    >>> seen.add(np.array([70, 50]), np.array([0, 1]))
    >>> seen.find(np.array([50, 60, 70])).tolist()
    [1, -1, 0]
    """

    def __init__(self) -> None:
        import numpy as np

        self._keys, self._numbers = np.zeros(0, np.int64), np.zeros(0, np.uint32)

    def find(self, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the number of each of ``keys``, -1 for none."""
        import numpy as np

        found = np.full(len(keys), -1, np.int64)
        if len(self._keys):
            at = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
            is_known = self._keys[at] == keys
            found[is_known] = self._numbers[at[is_known]]
        return found

    def add(self, keys: NDArray[np.int64], numbers: NDArray[np.int64]) -> None:
        """Keep the numbers of ``keys``, which differ and are new."""
        import numpy as np

        order = np.argsort(keys)
        keys, numbers = keys[order], numbers[order].astype(np.uint32)
        at = np.searchsorted(self._keys, keys)
        self._keys, self._numbers = np.insert(self._keys, at, keys), np.insert(self._numbers, at, numbers)
