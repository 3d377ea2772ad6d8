"""Where prefixes break, why, and what would mend it; and where the prompt is not to blame."""

from __future__ import annotations

from dataclasses import dataclass

from radixlint.result.cause import Confidence
from radixlint.result.remedy import Remedy


@dataclass(frozen=True, slots=True)
class ProviderWord:
    """What the provider itself gave as the reason of so many misses; ``agrees`` says whether it can mean the cause found."""

    word: str
    requests: int
    agrees: bool | None


@dataclass(frozen=True, slots=True)
class Break:
    """A place where requests stop matching the earlier ones they should have shared their prefix with.

    ``computed_tokens`` are prompt tokens computed behind it over all ``requests`` (``share_rate`` of the log); ``lost_tokens``
    of them had been sent before and would be shared without the break. ``token_index`` is the least number of tokens in
    front of it. ``before`` and ``after`` are the two texts at the place, ``shared`` the words in front, all under the
    privacy rule; ``values`` counts the different texts seen there. ``what`` says what changed, ``detail`` is a kebab word
    for its kind. ``realigned_requests`` of them go on alike behind it. ``first_seen_s`` is when the first of them was sent,
    seconds since the epoch as the log has it, None without times. ``examples`` name requests. ``fix`` and
    ``hit_rate_after`` are those of the best of the ``remedies``, None where none was replayed. ``provider_words`` are the
    reasons that the log has of the provider, the commonest first. ``prompt_tokens`` are all those of its requests.
    ``since_requests`` were sent in their conversations from the first of them on, 0 where that is not known.
    """

    cause: str
    where: str
    token_index: int
    requests: int
    computed_tokens: int
    lost_tokens: int
    values: int
    shared: str
    before: str
    after: str
    examples: tuple[str, ...] = ()
    fix: str | None = None
    hit_rate_after: float | None = None
    what: str = ""
    detail: str = ""
    confidence: Confidence = Confidence.LOW
    share_rate: float = 0.0
    realigned_requests: int = 0
    first_seen_s: float | None = None
    remedies: tuple[Remedy, ...] = ()
    provider_words: tuple[ProviderWord, ...] = ()
    prompt_tokens: int = 0
    since_requests: int = 0


@dataclass(frozen=True, slots=True)
class OneTimeChange:
    """A change that took the place of the old text or tools for good: no break, though what it made cold was computed again.

    ``cause`` is ``tool-order``, ``tool-set`` or another kebab word, ``what`` says what changed. ``lost_tokens`` stand in both
    versions and were computed once more, in ``requests`` of so many ``conversations``. ``first_seen_s`` is when the
    ``first_request`` with it was sent, None without times.
    """

    cause: str
    where: str
    what: str
    requests: int
    conversations: int
    lost_tokens: int
    first_seen_s: float | None
    first_request: str


@dataclass(frozen=True, slots=True)
class Cleared:
    """Requests whose prefix was intact as far as the log shows, and that were yet reported as not read from a cache.

    ``tokens`` is how far the reported counts fall short of what the engine's rules allow. ``what`` is a sentence for people.
    ``agrees`` says whether the provider's own word, where the log has one, means the same; None without one.
    """

    cause: str
    detail: str
    confidence: Confidence
    requests: int
    tokens: int
    what: str
    examples: tuple[str, ...] = ()
    agrees: bool | None = None
