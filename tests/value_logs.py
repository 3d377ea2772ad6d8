"""Logs of one place of a prompt, made by seed: each kind of changing value in many forms, and controls."""

from __future__ import annotations

import random
import uuid
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from radixlint.result.cause import Cause

Owner = tuple[str | None, str | None, str | None]
Log = tuple[list[str], list[float | None], list[Owner]]

NOBODY: Owner = (None, None, None)
START = datetime(2026, 3, 3, 7, 50, 11, tzinfo=UTC)
MONTHS = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"


def mixed_sessions(rng: random.Random, requests: int, sessions: int = 6) -> list[Owner]:
    """Return owners of requests of several sessions at once; two sessions a user, two users a tenant."""
    numbers = [rng.randrange(sessions) for _ in range(requests)]
    return [(f"t{number // 4}", f"u{number // 2}", f"s{number}") for number in numbers]


CLOCK_FORMS: dict[str, tuple[str, Callable[[datetime], str]]] = {
    "iso": ("second", lambda t: t.strftime("%Y-%m-%dT%H:%M:%SZ")),
    "iso with fraction": ("millisecond", lambda t: t.isoformat(timespec="milliseconds")),
    "blank between": ("second", lambda t: t.strftime("%Y-%m-%d %H:%M:%S")),
    "compact": ("second", lambda t: t.strftime("%Y%m%dT%H%M%SZ")),
    "mail": ("second", lambda t: t.strftime("%a, %d %b %Y %H:%M:%S +0000")),
    "ctime": ("second", lambda t: t.strftime("%a %b %e %H:%M:%S %Y")),
    "to the minute": ("minute", lambda t: t.strftime("%B %d, %Y %I:%M %p")),
    "slashes": ("minute", lambda t: t.strftime("%d/%m/%Y %H:%M")),
    "time alone": ("second", lambda t: t.strftime("%H:%M:%S")),
    "hour": ("hour", lambda t: t.strftime("%Y-%m-%d %I %p")),
    "unix": ("second", lambda t: str(int(t.timestamp()))),
    "unix milliseconds": ("millisecond", lambda t: str(int(t.timestamp() * 1000))),
    "German": ("minute", lambda t: f"{t.day}. {MONTHS.split()[t.month - 1]} {t.year}, {t:%H:%M} Uhr"),
    "Japanese": ("second", lambda t: f"{t.year}年{t.month}月{t.day}日{t.hour}時{t.minute}分{t.second}秒"),
    "words around": ("second", lambda t: f"{t:%Y-%m-%d}; local time {t:%H:%M:%S} (night shift)"),
}
STEPS_S = {"millisecond": 2.0, "second": 40.0, "minute": 900.0, "hour": 9_000.0, "day": 70_000.0}


def clock_log(rng: random.Random, form: str) -> Log:
    """Requests at random distances that print their time."""
    granularity, write = CLOCK_FORMS[form]
    moments, now = [], START
    for _ in range(rng.randrange(8, 60)):
        now += timedelta(seconds=STEPS_S[granularity] * rng.uniform(0.3, 2.0))
        moments.append(now)
    has_times = rng.random() < 0.5
    times = [moment.timestamp() + rng.uniform(0, 0.5) if has_times else None for moment in moments]
    return [write(moment) for moment in moments], times, mixed_sessions(rng, len(moments))


def date_log(rng: random.Random) -> Log:
    """A date without a time over some days."""
    write = rng.choice(("%Y-%m-%d", "%A, %B %d, %Y", "%d.%m.%Y", "%A"))
    moments = [START + timedelta(seconds=20_000 * number) for number in range(rng.randrange(20, 60))]
    return [moment.strftime(write) for moment in moments], [m.timestamp() for m in moments], [NOBODY] * len(moments)


def any_clock_log(rng: random.Random) -> Log:
    """A clock in any of the forms."""
    return clock_log(rng, rng.choice(sorted(CLOCK_FORMS)))


def _letters(rng: random.Random, alphabet: str, size: int) -> str:
    return "".join(rng.choice(alphabet) for _ in range(size))


_ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789"
ID_FORMS: dict[str, Callable[[random.Random], str]] = {
    "uuid": lambda rng: str(uuid.UUID(int=rng.getrandbits(128), version=4)),
    "hex": lambda rng: f"{rng.getrandbits(64):016x}",
    "short hex in words": lambda rng: f"[trace {rng.getrandbits(32):08x}, span {rng.getrandbits(32):08x}]",
    "letters and digits": lambda rng: _letters(rng, _ALPHABET, 10),
    "letters": lambda rng: _letters(rng, "bcdfghjklmnpqrstvwxz", 12),
    "mixed case": lambda rng: "req_" + _letters(rng, _ALPHABET + _ALPHABET.upper(), 18),
    "number": lambda rng: str(rng.randrange(10_000, 99_999_999)),
    "signed address": lambda rng: f"https://files.example/a.png?sig={_letters(rng, _ALPHABET, 24)}&v=2",
}


def id_log(rng: random.Random) -> Log:
    """A new id in each request, or one per session."""
    make = ID_FORMS[rng.choice(sorted(ID_FORMS))]
    groups = mixed_sessions(rng, rng.randrange(16, 60))
    if rng.random() < 0.4:
        own = {session: make(rng) for _, _, session in groups}
        return [own[session] for _, _, session in groups], [None] * len(groups), groups
    return [make(rng) for _ in groups], [None] * len(groups), groups


def counter_log(rng: random.Random) -> Log:
    """A request number, turns of each session, tries, or a budget that falls."""
    requests = rng.randrange(12, 60)
    groups = mixed_sessions(rng, requests, 3)
    form = rng.choice(("request", "turn", "try", "budget"))
    if form == "request":
        first = rng.randrange(1, 9_000)
        values = [f"request {first + number} of 9999" for number in range(requests)]
    elif form == "turn":
        turns: Counter[str | None] = Counter()
        values = []
        for _, _, session in groups:
            turns[session] += 1
            values.append(f"#{turns[session]}")
    elif form == "try":
        values = [f"attempt {number} of 3" for _ in range(requests) for number in range(1, rng.choice((1, 1, 2, 3)) + 1)]
        values += ["attempt 1 of 3", "attempt 2 of 3", "attempt 3 of 3"]
    else:
        left, values = 200_000, []
        for _ in range(requests):
            left -= rng.randrange(100, 3_000)
            values.append(f"{left:,} tokens left")
    return values, [None] * len(values), (groups + [groups[0]] * len(values))[: len(values)]


def state_log(rng: random.Random) -> Log:
    """A mode, a file that is open, a battery, a temperature, or the states of several devices."""
    requests = rng.randrange(16, 80)
    form = rng.choice(("mode", "file", "battery", "temperature", "devices"))
    values, state, level = [], "focus", 60.0
    for _ in range(requests):
        level += rng.uniform(-2, 2)
        if rng.random() < 0.3:
            state = rng.choice(("focus", "travel", "sleep", "home"))
        lamps = [f"{name}: {rng.choice(('on', 'off'))}" for name in ("hall", "desk", "porch", "attic")]
        texts = {"mode": state, "file": f"src/{state}/view.py", "battery": f"{level:.0f}%", "temperature": f"{level:.1f}"}
        values.append(texts.get(form) or ", ".join([*lamps, f"{level:.1f} degrees"]))
    return values, [None] * requests, mixed_sessions(rng, requests)


FIRST = "Ada Bela Cleo Dora Egon Fritz Gerd Hanna Ines Jonas Karla Lina"
LAST = "Moss Stein Okoro Silva Tanaka Weber Novak Rossi"


def owner_log(rng: random.Random) -> Log:
    """A name, a language or some words about each user or tenant; several requests and sessions of each."""
    groups = mixed_sessions(rng, rng.randrange(40, 90), 16)
    level = rng.choice((0, 1))
    names = sorted({owner[level] or "" for owner in groups})
    texts = [f"{first} {last}, likes {rng.choice(FIRST.split())}" for first in FIRST.split() for last in LAST.split()]
    if rng.random() < 0.3:
        texts = ["de", "fr", "en"] * 9
        own = {name: texts[number] for number, name in enumerate(names)}
    else:
        own = dict(zip(names, rng.sample(texts, len(names)), strict=True))
    return [own[owner[level] or ""] for owner in groups], [None] * len(groups), groups


WORDS = (
    "order refund cable tracking invoice camera battery broken parcel late express return colour size login password "
    "garden chair lamp coupon price delivery address tomorrow missing wrong bought shoes blue kitchen table window "
    "discount account email phone screen paper printer toner cheaper gift voucher warranty repair store pickup weekend "
    "holiday customs fee courier signature "
)


def question_log(rng: random.Random) -> Log:
    """Free text that each request asks anew."""
    groups = mixed_sessions(rng, rng.randrange(12, 50))
    mark = rng.choice(("?", ".", ""))
    return [" ".join(rng.sample(WORDS.split(), rng.randrange(4, 14))) + mark for _ in groups], [None] * len(groups), groups


def rollout_log(rng: random.Random) -> Log:
    """A version, a build time, a hash or a build number that changes once in the log."""
    requests = rng.randrange(8, 60)
    change = rng.randrange(2, requests - 2)
    before, after = rng.choice(
        (
            ("release 4.1.0", "release 4.2.0"),
            ("2026-02-27T10:22:09Z", "2026-03-02T09:41:55Z"),
            ("9f1c22d0", "77ab01ee"),
            ("build 812", "build 813"),
            ("Be brief.", "Be brief and kind."),
        )
    )
    times = [START.timestamp() + 300.0 * number if rng.random() < 0.9 else None for number in range(requests)]
    return [before] * change + [after] * (requests - change), times, mixed_sessions(rng, requests)


def constant_log(rng: random.Random) -> Log:
    """A value that never changes."""
    requests = rng.randrange(2, 40)
    return [rng.choice(("2026-03-03", "9f1c22d0", "Be brief."))] * requests, [None] * requests, mixed_sessions(rng, requests)


GENERATORS: dict[str, tuple[Callable[[random.Random], Log], Cause]] = {
    "clock": (any_clock_log, Cause.CLOCK),
    "date": (date_log, Cause.CLOCK),
    "id": (id_log, Cause.ID),
    "counter": (counter_log, Cause.COUNTER),
    "state": (state_log, Cause.LIVE_STATE),
    "owner": (owner_log, Cause.TENANT_BEFORE_SHARED),
    "question": (question_log, Cause.UNKNOWN),
    "rollout": (rollout_log, Cause.UNKNOWN),
    "constant": (constant_log, Cause.UNKNOWN),
}
