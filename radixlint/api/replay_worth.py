"""What a replay costs, in paid tokens and in time of prefill."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec import structs

from radixlint.api.analyze_options import AnalyzeOptions
from radixlint.api.measured_money import Bill
from radixlint.api.measured_policy import provider_paths
from radixlint.api.measured_worth import look_up
from radixlint.estimate import Matched, Server, prefill_s
from radixlint.replay import Replayed
from radixlint.traffic import CachePolicy, Match, Request


@dataclass(frozen=True, slots=True)
class ReplayWorth:
    """Works out what replays of one log cost; simulated, never as reported.

    Attributes:
        policy: the rules of the cache, whose provider's prices count.
        files: provider files of the user's.
        prices_file: a price list of the user's.
        server: what prefills, None if it was not named.
    """

    policy: CachePolicy
    files: tuple[Path, ...] = ()
    prices_file: Path | None = None
    server: Server | None = None

    def cost(self, requests: Sequence[Request], replayed: Replayed) -> float | None:
        """Return the paid tokens in units of plain input tokens; None where nobody named a provider or a price is unknown."""
        if self.policy.is_assumed:
            return None
        bare = [structs.replace(request, usage=None) for request in requests]
        written = replayed.written or [None] * len(bare)
        bill = Bill(bare, replayed.matches, written, self.policy, files=self.files, prices_file=self.prices_file)
        cost = bill.cost(range(len(bare)))
        return None if cost is None else cost.factor * cost.prompt_tokens

    def prefill_s(self, matches: Iterable[Match]) -> float | None:
        """Return the seconds of prefill of what was not hit, None if no GPU was named."""
        if self.server is None:
            return None
        return prefill_s(self.server, [Matched(match.prompt_tokens, match.engine_tokens) for match in matches])


def worth_of(policy: CachePolicy, options: AnalyzeOptions) -> ReplayWorth:
    """Return what works out costs as ``options`` ask for.

    Raises:
        DataError: the named model or GPU is unknown.
    """
    replica = look_up(options.worth) if options.worth else None
    server = Server(replica.model, replica.gpu) if replica and replica.gpu else None
    prices_file = None if options.prices is None else Path(options.prices)
    return ReplayWorth(policy, tuple(provider_paths(options.policy)), prices_file, server)
