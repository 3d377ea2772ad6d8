"""What the prompt tokens of a log cost: one bill a model, and the cost of any part of the log."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from radixlint.api.measured_figures import Matches
from radixlint.estimate.money_estimate import estimate_money
from radixlint.providers import find_prices, provider_of_model
from radixlint.replay import match_columns
from radixlint.result.evidence import Evidence
from radixlint.result.groups import Cost
from radixlint.result.money import Money, PriceFactors
from radixlint.traffic import CachePolicy, Request

_MOST_BILLS: Final = 8
_CLASSES: Final = (Evidence.MEASURED, Evidence.SIMULATED)

Written = Sequence[tuple[int, int] | None]


class Bill:
    """The bills for parts of one log.

    The provider is the one that was named, else the one whose model it is. Simulated counts are those of the replayed
    policy, so they make a bill for its provider only. Reported counts do so where that provider serves the model, or where
    nobody named one, or where there is nothing to simulate.

    Args:
        requests: all of the log.
        matches: as long, None where the prompt is not known.
        written: simulated writes, as long, None where unknown.
        policy: what was replayed.
        files: provider files of the user's.
        prices_file: a price list of the user's.
    """

    def __init__(
        self,
        requests: Sequence[Request],
        matches: Matches,
        written: Written,
        policy: CachePolicy,
        *,
        files: Sequence[Path] = (),
        prices_file: Path | None = None,
    ) -> None:
        self._requests = requests
        self._matches = matches
        self._written = written
        self._policy = policy
        self._files = files
        self._prices_file = prices_file
        self._prices: dict[str | None, tuple[str, PriceFactors | None]] = {}

    def by_model(self) -> tuple[Money, ...]:
        """Return a bill for each model whose price of a read is known, the most prompt tokens first, at most eight."""
        bills = [b for _, b in self._bills(range(len(self._requests))) if b is not None and b.prices.read_factor is not None]
        return tuple(sorted(bills, key=lambda bill: -bill.billed.prompt_tokens)[:_MOST_BILLS])

    def cost(self, positions: Sequence[int]) -> Cost | None:
        """Return the cost of the requests at ``positions``, None unless every model among them has known prices.

        Bills by reported and by simulated counts are told apart: their sum is simulated.
        """
        bills = [bill for _, bill in self._bills(positions)]
        known = [bill for bill in bills if bill is not None and bill.now_factor is not None and bill.billed.prompt_tokens]
        if not known or len(known) < len(bills):
            return None
        classes = {bill.evidence for bill in known}
        parts = [_cost([b for b in known if b.evidence is one], one) for one in _CLASSES if one in classes]
        return parts[0] if len(parts) == 1 else replace(_cost(known, Evidence.SIMULATED), parts=tuple(parts))

    def _bills(self, positions: Sequence[int]) -> list[tuple[str | None, Money | None]]:
        members: dict[str | None, array[int]] = {}
        for position in positions:
            members.setdefault(self._requests[position].model, array("q")).append(position)
        return [(model, self._bill(model, some)) for model, some in members.items()]

    def _bill(self, model: str | None, positions: Sequence[int]) -> Money | None:
        provider, prices = self._prices_for(model)
        if prices is None:
            return None
        matches = match_columns(m for m in (self._matches[i] for i in positions) if m is not None)
        written = [w for w in (self._written[i] for i in positions) if w is not None]
        money = estimate_money(
            matches,
            prices,
            provider=provider,
            model=model,
            usages=[self._requests[i].usage for i in positions] if self._is_counted_by(provider, model) else (),
            written=written,
        )
        return money if money.billed.evidence is Evidence.MEASURED or provider == self._policy.name else None

    def _is_counted_by(self, provider: str, model: str | None) -> bool:
        """Whether the log's own counts are those of ``provider``: another one's cache would have hit something else."""
        if self._policy.is_assumed or (model is not None and provider_of_model(model, self._files) == provider):
            return True
        return not any(match is not None for match in self._matches)

    def _prices_for(self, model: str | None) -> tuple[str, PriceFactors | None]:
        if model not in self._prices:
            provider = self._policy.name
            if self._policy.is_assumed and model is not None:
                provider = provider_of_model(model, self._files) or provider
            prices = find_prices(provider, model, files=self._files, prices_file=self._prices_file)
            self._prices[model] = (provider, prices)
        return self._prices[model]


def _cost(bills: Sequence[Money], evidence: Evidence) -> Cost:
    """Return the sum of ``bills`` that have a cost."""
    tokens = sum(bill.billed.prompt_tokens for bill in bills)
    usd = [bill.now_usd for bill in bills if bill.now_usd is not None]
    return Cost(
        factor=sum((bill.now_factor or 0.0) * bill.billed.prompt_tokens for bill in bills) / tokens,
        usd=sum(usd) if len(usd) == len(bills) else None,
        evidence=evidence,
        prompt_tokens=tokens,
    )
