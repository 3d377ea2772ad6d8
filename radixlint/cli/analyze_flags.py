"""The options of ``analyze`` that say which log is read, how it is laid out, and which cache is replayed."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import click

from radixlint.cli.help_sections import section

if TYPE_CHECKING:
    from radixlint.api.analyze_options import LogOptions, PolicyOptions

_UNITS_S: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_DURATION: Final = re.compile(r"(\d+(?:\.\d+)?)([smhd]?)\Z")
_PERCENT: Final = re.compile(r"(\d+(?:\.\d+)?)%\Z")

Command = Callable[..., Any]


class Duration(click.ParamType[float]):
    """A time span, as 300, 90s, 5m, 1h or 2d; becomes seconds."""

    name = "duration"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        found = _DURATION.match(str(value))
        if not found:
            self.fail(f"{value!r} is no time span (write 300, 90s, 5m, 1h or 2d)", param, ctx)
        return float(found[1]) * _UNITS_S[found[2] or "s"]


class Share(click.ParamType[float]):
    """A share, as 0.1 or 10%; becomes 0..1."""

    name = "share"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        percent = _PERCENT.match(str(value))
        try:
            return float(percent[1]) / 100 if percent else float(value)
        except ValueError:
            self.fail(f"{value!r} is no share (write 0.1 or 10%)", param, ctx)


_log = section("Which records")
_cache = section("Whose cache")

_LOG_FLAGS: Final = (
    _log("--from", "format", metavar="FORMAT", help="Log format (see `radixlint formats`); default: told from each record."),
    _log("--map", "maps", multiple=True, metavar="FILE", help="A file that describes a further log format; repeat it."),
    _log("--since", metavar="TIME", help="Leave out requests before this date or time."),
    _log("--sample", "sample_rate", type=Share(), metavar="SHARE", help="Read this share of the sessions, as 0.1 or 10%."),
    _log(
        "--max-record-mb",
        "max_record_mib",
        default=64,
        show_default=True,
        type=click.IntRange(1, 4096),
        metavar="N",
        help="Skip records over N MiB.",
    ),
)

_POLICY_FLAGS: Final = (
    _cache(
        "--engine",
        metavar="NAME",
        help="Engine or provider whose cache rules count: vllm, sglang, anthropic, ...; default: as the log names, else vllm.",
    ),
    _cache(
        "--block-size",
        "block_tokens",
        type=click.IntRange(min=1),
        metavar="N",
        help="Tokens a block or page holds; default: the engine's.",
    ),
    _cache(
        "--kv-tokens",
        type=click.IntRange(min=1),
        metavar="N",
        help="Size of the cache in tokens, of each replica; default: no limit.",
    ),
    _cache("--kv-gib", type=click.FloatRange(0, 1_000_000, min_open=True), metavar="X", help="The same in GiB; with --model."),
    _cache("--eviction", metavar="NAME", help="What SGLang gives up first: lru (default), lfu, slru, priority."),
    _cache("--chunk", "chunk_tokens", type=click.IntRange(min=1), metavar="N", help="Prefill prompts N tokens at a time."),
    _cache("--ttl", "ttl_s", type=Duration(), metavar="SPAN", help="Time to live since the last use, as 5m or 1h."),
    _cache("--replicas", default=1, show_default=True, type=click.IntRange(1, 4096), metavar="N", help="Separate caches."),
    _cache("--routing", metavar="NAME", help="Who gets a request: round-robin (default), random, hash-prefix, cache-aware."),
    _cache(
        "--in-flight",
        default=0,
        type=click.IntRange(min=0),
        metavar="N",
        help="Requests served at once: a lower bound for SGLang, where a batch of N sees neither itself nor the one before.",
    ),
    _cache(
        "--providers", "provider_files", multiple=True, metavar="FILE", help="A file that adds or changes providers; repeat it."
    ),
)


def log_flags(command: Command) -> Command:
    """Add the options that say what of the logs is read."""
    return _with(command, _LOG_FLAGS)


def policy_flags(command: Command) -> Command:
    """Add the options that say which cache is replayed."""
    return _with(command, _POLICY_FLAGS)


def split_flags(flags: dict[str, Any]) -> tuple[LogOptions, PolicyOptions]:
    """Take the values of both groups out of ``flags``."""
    from dataclasses import fields

    from radixlint.api.analyze_options import LogOptions, PolicyOptions

    log = {field.name: flags.pop(field.name) for field in fields(LogOptions)}
    policy = {field.name: flags.pop(field.name) for field in fields(PolicyOptions)}
    return LogOptions(**log), PolicyOptions(**policy)


def _with(command: Command, options: tuple[Callable[[Command], Command], ...]) -> Command:
    for option in reversed(options):
        command = option(command)
    return command
