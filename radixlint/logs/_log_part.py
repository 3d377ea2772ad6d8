"""The part of a log that was asked for: a span of time, sessions, models, and a share that is the same every time."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from typing import Final

from radixlint.logs._read_options import ReadOptions
from radixlint.logs._time_of_day import on_the_day, read_as, time_of_day
from radixlint.plural import counted
from radixlint.spelling import guess
from radixlint.traffic import Request

_HASH_BYTES: Final = 8
_DAY_S: Final = 86_400
_MOST_NAMES: Final = 10_000
_SINCE: Final = "--since"
_UNTIL: Final = "--until"
_SESSION: Final = "--session"
_MODEL: Final = "--of-model"
_FLAGS: Final = (_SINCE, _UNTIL, _SESSION, _MODEL)
_LOWER: Final = "what would have been left in the cache is missing, and rates are lower bounds"
_WORDS: Final = {_SESSION: "session", _MODEL: "model"}


class LogPart:
    """Says which requests are wanted, and counts those left out."""

    def __init__(self, options: ReadOptions) -> None:
        self._since_s, self._until_s = options.since_s, options.until_s
        self._clocks = {flag: text for flag, text in ((_SINCE, options.since), (_UNTIL, options.until)) if text is not None}
        self._clocks_s = {flag: time_of_day(text) for flag, text in self._clocks.items()}
        self._times_s: tuple[float, float] | None = None
        self._wanted = {_SESSION: frozenset(options.sessions), _MODEL: frozenset(options.models)}
        self._met: dict[str, dict[str, None]] = {_SESSION: {}, _MODEL: {}}
        self._sample_rate = 1.0 if options.sample_rate is None else options.sample_rate
        self._left_out: Counter[str] = Counter()
        self._timeless: Counter[str] = Counter()
        self._unsampled = self._kept = 0

    @property
    def is_asked_for(self) -> bool:
        """Whether it is a part, not all."""
        is_span = self._since_s is not None or self._until_s is not None or bool(self._clocks)
        return is_span or any(self._wanted.values()) or self._sample_rate < 1

    @property
    def has_left_out(self) -> bool:
        """Whether any request so far is not in it."""
        return bool(self._left_out or self._unsampled)

    def has(self, request: Request) -> bool:
        """Whether ``request`` is in the part."""
        reason = self._reason(request)
        if reason is not None:
            self._left_out[reason] += 1
            self._timeless[reason] += reason in (_SINCE, _UNTIL) and request.time_s is None
            return False
        if self._sample_rate < 1 and _share(request) >= self._sample_rate:
            self._unsampled += 1
            return False
        self._kept += 1
        return True

    def _reason(self, request: Request) -> str | None:
        """Return the option that leaves ``request`` out, None if none does."""
        if (flag := self._is_out_of_time(request.time_s)) is not None:
            return flag
        for flag, name in ((_SESSION, request.session), (_MODEL, request.model)):
            if not self._wanted[flag]:
                continue
            if name is not None and len(self._met[flag]) < _MOST_NAMES:
                self._met[flag][name] = None
            if name not in self._wanted[flag]:
                return flag
        return None

    def _is_out_of_time(self, time_s: float | None) -> str | None:
        """Return the option that leaves out a request of this time, None if none does."""
        since_s, until_s = self._since_s, self._until_s
        if self._clocks and time_s is not None:
            first_s, last_s = self._times_s or (time_s, time_s)
            self._times_s = min(first_s, time_s), max(last_s, time_s)
            midnight_s = time_s - time_s % _DAY_S
            since_s, until_s = (
                given if (clock_s := self._clocks_s.get(flag)) is None else midnight_s + clock_s
                for flag, given in ((_SINCE, since_s), (_UNTIL, until_s))
            )
        if (since_s is not None or _SINCE in self._clocks) and (time_s is None or time_s < (since_s or 0.0)):
            return _SINCE
        if (until_s is not None or _UNTIL in self._clocks) and (time_s is None or time_s >= (until_s or 0.0)):
            return _UNTIL
        return None

    def days(self) -> tuple[str, ...]:
        """Return how times of day were read.

        Raises:
            ConfigError: the log is of several days, or its times have no date.
        """
        if self._times_s is None:
            return ()
        return tuple(
            read_as(text, on_the_day(self._clocks_s[flag] or 0.0, *self._times_s, where=flag, text=text))
            for flag, text in self._clocks.items()
        )

    def sentences(self) -> tuple[str, ...]:
        """Return what to say about the part: how much was left out, and what follows from it."""
        sentences = [self._sentence(flag) for flag in _FLAGS if self._left_out[flag]]
        if self._kept:
            sentences += [f"No request is of the {_WORDS[flag]} {name!r}." for flag, name in self._missing()]
        if self._sample_rate < 1:
            requests = counted(self._kept + self._unsampled, "request")
            sentences.append(
                f"Sampled: {self._kept:,} of {requests}, whole sessions where the log names them: "
                "what is shared between sessions is underestimated."
            )
        return tuple(sentences)

    def advice(self) -> str:
        """Return the same for a part that holds nothing, with the nearest names to those that were not found."""
        guesses = [found for flag, name in self._missing() if (found := guess(name, self._met[flag]).strip())]
        return "; ".join((*(self._were(flag) for flag in _FLAGS if self._left_out[flag]), *guesses)) or " ".join(self.sentences())

    def _missing(self) -> Iterator[tuple[str, str]]:
        """Yield the names asked for that no request has, each behind its option."""
        for flag, names in self._wanted.items():
            if len(self._met[flag]) < _MOST_NAMES:
                yield from ((flag, name) for name in sorted(names) if name not in self._met[flag])

    def _sentence(self, flag: str) -> str:
        # What came later can have left nothing in the cache.
        return f"{self._were(flag)}." if flag == _UNTIL else f"{self._were(flag)}: {_LOWER}."

    def _were(self, flag: str) -> str:
        timeless = f", {self._timeless[flag]:,} of them without a time" if self._timeless[flag] else ""
        left_out = self._left_out[flag]
        return f"{counted(left_out, 'request')} {'was' if left_out == 1 else 'were'} left out by {flag}{timeless}"


def _share(request: Request) -> float:
    """Return a number in 0..1 that is the same for all requests of a session, or by the request's place in the log."""
    key = f"session {request.session}" if request.session is not None else f"request {request.index}"
    digest = hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=_HASH_BYTES).digest()
    return int.from_bytes(digest, "big") / (1 << 8 * _HASH_BYTES)
