"""What breaks the prefix, in templates and in the log, and the order to use instead."""

from __future__ import annotations

from dataclasses import dataclass

from radixlint.result.evidence import Evidence


@dataclass(frozen=True, slots=True)
class OrderFault:
    """One place that breaks the prefix; ``lost_tokens`` literal tokens stand behind it."""

    place: str
    rule: str
    name: str
    lost_tokens: int
    message: str


@dataclass(frozen=True, slots=True)
class LogBreak:
    """One place where logged requests part.

    ``repeated_tokens`` were computed again though the request they parted from had them, ``repeated_rate`` is the same /
    all prompt tokens. ``label`` is shape or shared text only, under the privacy rule. ``fix`` is the best replayed fix, and
    ``gain_rate`` how much it adds to the engine's hit rate, None where none was replayed.
    """

    where: str
    label: str
    requests: int
    repeated_tokens: int
    repeated_rate: float
    cause: str = "unknown"
    fix: str | None = None
    gain_rate: float | None = None

    @property
    def expected_gain_rate(self) -> float:
        """What mending adds to the hit rate: as replayed, else the repeated tokens."""
        return self.repeated_rate if self.gain_rate is None else self.gain_rate

    @property
    def gain_evidence(self) -> Evidence:
        """The class of the expected gain."""
        return Evidence.ASSUMED if self.gain_rate is None else Evidence.SIMULATED


@dataclass(frozen=True, slots=True)
class OrderAudit:
    """What breaks the prefix, worst first, and the order to use.

    ``faults`` are errors and warnings (evidence static), ``more_faults`` those left out, ``files`` None if no template was
    given. ``shape_fault`` is what the described order itself gets wrong. ``breaks`` come from the log (simulated).
    """

    files: int | None
    faults: tuple[OrderFault, ...]
    more_faults: int
    shape_fault: str | None
    breaks: tuple[LogBreak, ...]
    recommended: tuple[str, ...]
    recommended_note: str
