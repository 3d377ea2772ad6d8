"""How figures are written in every report: sizes, times, shares, counts."""

from __future__ import annotations

from typing import Final

from radixlint.plural import counted as counted
from radixlint.result.finding import Severity

_UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB")
SEVERITY_COLORS: Final = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}


def binary_size(size_bytes: int) -> str:
    """Return a size in the largest binary unit that keeps it at 1 or more, without trailing zeros.

    >>> binary_size(262_144_000)
    '250 MiB'
    """
    value, unit = float(size_bytes), 0
    while value >= 1024 and unit < len(_UNITS) - 1:
        value, unit = value / 1024, unit + 1
    return f"{value:.2f}".rstrip("0").rstrip(".") + f" {_UNITS[unit]}"


def milliseconds(seconds: float) -> str:
    """Return a time in whole milliseconds, with one decimal under 10.

    >>> milliseconds(0.0972), milliseconds(0.006)
    ('97 ms', '6.0 ms')
    """
    value = seconds * 1000
    return f"{value:.1f} ms" if value < 10 else f"{value:,.0f} ms"


def percent(rate: float | None) -> str:
    """Return a share with one decimal.

    >>> percent(0.704), percent(None)
    ('70.4%', 'unknown')
    """
    return "unknown" if rate is None else f"{rate:.1%}"


def usd(amount: float) -> str:
    """Return an amount with cents, or with four decimals under a dollar.

    >>> usd(1234.5), usd(0.0321)
    ('USD 1,234.50', 'USD 0.0321')
    """
    return f"USD {amount:,.2f}" if amount >= 1 else f"USD {amount:.4f}"
