"""Strings that look like secrets or personal numbers: masked in every mode, even where text may be shown."""

from __future__ import annotations

import re
from typing import Final

MASK: Final = "\ue000"
"""Stands for each masked character, so that places in the text stay where they are; a private-use code point."""

_PATTERNS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:[^-]|-(?!----)){0,8000}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?",
        r"\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}",
        r"\b(?:AKIA|ASIA|AGPA|AIDA|AROA)[A-Z0-9]{12,}",
        r"\beyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{2,}(?:\.[A-Za-z0-9_-]*)?",
        r"\b(?:gh[opsur]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,})",
        r"\bxox[abeoprs]-[A-Za-z0-9-]{8,}",
        r"\bAIza[A-Za-z0-9_-]{30,}",
        r"\b(?:hf_|npm_|pypi-|dop_v1_|shpat_|SG\.)[A-Za-z0-9._-]{16,}",
        r"(?i:\bbearer )[A-Za-z0-9._~+/=-]{12,}",
        r"(?i:\b(?:password|passwd|pwd|secret|api[_-]?key|access[_-]?token|auth[_-]?token))[\"']?\s{0,3}[:=]\s{0,3}[\"']?[^\s\"',;]{4,}",
        r"(?<=://)[^\s/:@]{1,200}:[^\s/@]{1,200}(?=@)",
        r"\b[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,6}\b",
        r"\b\d{3}-\d{2}-\d{4}\b",
        r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b",
        r"(?<![\w.])(?:\d[ -]?){12,18}\d(?![\w.])",
        r"(?<![\w.])\+\d{1,3}(?:[ .()-]{0,2}\d{2,4}){2,5}(?!\w)",
    )
)


def mask_secrets(text: str) -> str:
    r"""Return ``text`` with every character of a secret replaced by ``MASK``; the length stays the same.

    >>> mask_secrets("key AKIAABCDEFGHIJKLMNOP.").count(MASK)
    20
    """
    text = text.replace(MASK, " ")
    for pattern in _PATTERNS:
        text = pattern.sub(lambda match: MASK * len(match.group()), text)
    return text


def name_masks(text: str) -> str:
    """Return ``text`` with each run of ``MASK`` written as ``<secret>``."""
    return re.sub(f"{MASK}+", "<secret>", text)
