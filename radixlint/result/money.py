"""What prompt tokens cost with a provider's cache: price factors, and the bill now, without caching and at best."""

from __future__ import annotations

from dataclasses import dataclass

from radixlint.result.evidence import Evidence


@dataclass(frozen=True, slots=True)
class PriceFactors:
    """Prices of one model's prompt tokens; None is unknown, and no figure that needs it is made.

    ``read_factor`` (tokens served from the cache), ``write_factor`` (tokens written to it, the whole price of them) and
    ``long_write_factor`` (the same for the longer time to live) are factors on the plain input price. ``input_usd`` and
    ``output_usd`` are USD per million tokens. ``min_tokens`` is the least prefix that is cached, where the price list
    says so. ``source`` says where the prices are from; ``limit`` is a sentence on what they leave out, empty for nothing.
    """

    read_factor: float | None
    write_factor: float | None
    long_write_factor: float | None = None
    input_usd: float | None = None
    output_usd: float | None = None
    min_tokens: int | None = None
    source: str = ""
    limit: str = ""


@dataclass(frozen=True, slots=True)
class BilledTokens:
    """The prompt tokens of a bill.

    Of ``prompt_tokens``, ``read_tokens`` were served from the cache, ``written_tokens`` written to it at a price
    (``written_long_tokens`` of them for the longer time to live; None where writes cost more than plain input and nobody
    counted them), and the rest paid plain. ``evidence`` says who counted.
    """

    requests: int
    prompt_tokens: int
    read_tokens: int
    written_tokens: int | None
    written_long_tokens: int
    evidence: Evidence

    @property
    def plain_tokens(self) -> int:
        """Tokens at the plain input price."""
        return max(0, self.prompt_tokens - self.read_tokens - (self.written_tokens or 0))


@dataclass(frozen=True, slots=True)
class Money:
    """The bill for the prompt tokens of one model at one provider, under one price list.

    Costs ending in ``_factor`` are per prompt token in units of the plain input price, so without caching they are 1.
    Costs in USD are for the whole log, prompts only; ``output_cost_usd`` is that of ``output_tokens``.

    ``now`` is the log as it was served. ``shareable`` reads every shareable token (``shareable_rate`` of all, None if not
    known) and, where writes cost more than plain input, writes every other one, as automatic caching does: with well
    placed marks it can be lower still.

    ``break_even_rate`` is (w-1)/(w-r): the share of cache traffic, read / (read + written), above which caching saves input
    money when every token not read is written; with explicit marks it holds for the marked part alone. It is 0 where
    writes are free. ``long_break_even_rate`` is the same for the longer time to live. ``traffic_rate`` is that share in
    this log, None where nothing was read or written, or writes are free or not counted.
    """

    provider: str
    model: str | None
    billed: BilledTokens
    prices: PriceFactors
    output_tokens: int | None
    shareable_rate: float | None
    now_factor: float | None
    shareable_factor: float | None
    break_even_rate: float | None
    long_break_even_rate: float | None
    traffic_rate: float | None
    now_usd: float | None
    without_usd: float | None
    shareable_usd: float | None
    output_cost_usd: float | None

    @property
    def prompt_tokens(self) -> int:
        """Prompt tokens on the bill."""
        return self.billed.prompt_tokens

    @property
    def evidence(self) -> Evidence:
        """Who counted the tokens."""
        return self.billed.evidence
