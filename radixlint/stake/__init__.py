"""What a break in a prompt costs: what stands behind a place, where its cause is reported, and the words for both.

Detectors and the prompt strip see the same stakes, so that a finding and the strip beside it cannot disagree.
"""

from __future__ import annotations

from collections.abc import Callable

CountTokens = Callable[[str], int]
"""Text to number of tokens."""
