"""Misses that the server reports though the prompt is intact: idle time, another host, a parallel start; and parameters."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Final

from made_faults import Fault, Faulty, Log, chosen
from made_logs import START_S, numbered, prose, question
from msgspec import structs
from prefix_twin import Sees, twin_tokens

from radixlint.result.cause import Cause
from radixlint.traffic import Message, Request, Settings, Usage

LIFETIME_S: Final = 300.0
START_UP_S: Final = 2.0
EFFORTS: Final = ("low", "medium", "high")
HOSTS: Final = ("gpu-a", "gpu-b", "gpu-c", "gpu-d")


def reported(requests: Sequence[Request], sees: Sees | None = None) -> Log:
    """Return the requests with the usage that a server would report whose cache holds what ``sees`` says."""
    found = twin_tokens(requests, sees)
    return [structs.replace(r, usage=Usage(t.prompt_tokens, t.block_tokens)) for r, t in zip(requests, found, strict=True)]


def _of_two(
    make: Callable[[Sequence[Request], float, random.Random], tuple[Log, Log]], sees: Sees
) -> Callable[[Sequence[Request], float, random.Random], Faulty]:
    """Return a fault that answers the log of ``make`` as ``sees`` says, and its mended one as a cache without limits."""

    def inject(requests: Sequence[Request], share: float, draw: random.Random) -> Faulty:
        made, mended = make(requests, share, draw)
        return Faulty(reported(made, sees), reported(mended))

    return inject


def _idle(requests: Sequence[Request], share: float, draw: random.Random) -> tuple[Log, Log]:
    picked, idle_s = set(chosen(requests, share, draw, lambda r: r.index > 0)), 0.0
    made = []
    for i, request in enumerate(requests):
        idle_s += LIFETIME_S + 60.0 * (1 + draw.random()) if i in picked else 0.0
        made.append(structs.replace(request, time_s=(request.time_s or 0.0) + idle_s))
    return made, list(requests)


def _on_hosts(requests: Sequence[Request], share: float, draw: random.Random) -> tuple[Log, Log]:
    picked = set(chosen(requests, share, draw))
    hosts = [draw.choice(HOSTS) if i in picked else HOSTS[0] for i in range(len(requests))]
    made = [structs.replace(r, host=host) for r, host in zip(requests, hosts, strict=True)]
    return made, [structs.replace(r, host=HOSTS[0]) for r in requests]


def _of_effort(request: Request, effort: str) -> Request:
    return structs.replace(request, settings=Settings((("reasoning_effort", f'"{effort}"'),)))


def _with_efforts(requests: Sequence[Request], share: float, draw: random.Random) -> tuple[Log, Log]:
    picked = set(chosen(requests, share, draw))
    made = [_of_effort(r, draw.choice(EFFORTS[1:] if share < 1 else EFFORTS) if i in picked else "low")
            for i, r in enumerate(requests)]  # fmt: skip
    return made, [_of_effort(r, "low") for r in requests]


def _fanned_out(requests: Sequence[Request], share: float, draw: random.Random) -> tuple[Log, Log]:
    """Let chosen requests be four at once, about a document that is new; the mended ones wait for the first."""
    made: dict[bool, Log] = {True: [], False: []}
    picked = set(chosen(requests, share, draw))
    for i, request in enumerate(requests):
        document = f"Document new-{i}: {prose(draw, 800)}"
        for number in range(4 if i in picked else 1):
            asked = Message("user", f"{document}\n\nQuestion: {question(draw, 30)}")
            one = structs.replace(request, messages=(request.messages[0], asked)) if i in picked else request
            for is_parallel, log in made.items():
                # Five times as long a log, so that nobody else starts meanwhile.
                start_s = (
                    START_S + ((request.time_s or START_S) - START_S) * 5 + number * (0.05 if is_parallel else START_UP_S + 0.5)
                )
                log.append(structs.replace(one, session=f"{request.session}-{number}", time_s=start_s))
    return numbered(made[True]), numbered(made[False])


def _is_in_time(earlier: Request, later: Request) -> bool:
    return (later.time_s or 0.0) - (earlier.time_s or 0.0) <= LIFETIME_S


def _is_ready(earlier: Request, later: Request) -> bool:
    return (later.time_s or 0.0) - (earlier.time_s or 0.0) >= START_UP_S


SERVER_FAULTS: Final = (
    Fault("idle", "chat", (Cause.TTL,), "", _of_two(_idle, _is_in_time)),
    Fault("other-host", "chat", (Cause.ROUTING,), "", _of_two(_on_hosts, lambda a, b: a.host == b.host)),
    Fault("parallel-start", "rag", (Cause.PARALLEL_START,), "", _of_two(_fanned_out, _is_ready)),
    Fault(
        "effort", "chat", (Cause.PARAMETER,), "reasoning_effort", _of_two(_with_efforts, lambda a, b: a.settings == b.settings)
    ),
)
