"""The options that several commands have: which log is read, how it is laid out, which cache is replayed; each said once."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import click

from radixlint.cli.help_sections import section

if TYPE_CHECKING:
    from radixlint.api.analyze_options import LogOptions, PolicyOptions
    from radixlint.result.measurement import Show

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
_tokens = section("Prompt and tokens")
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

_TOKEN_FLAGS: Final = (
    _tokens(
        "--tokenizer",
        metavar="NAME",
        help="Vocabulary, for example o200k_base, or a tokenizer.json or rank file; default: by the model's name.",
    ),
    _tokens(
        "--layout",
        metavar="NAME",
        help="Order and framing of the prompt's parts (docs/layouts.md); default: the provider's, else tools-first.",
    ),
    _tokens("--chat-template", metavar="FILE", help="A chat template (.jinja) or tokenizer_config.json in place of a layout."),
)

_ENGINE_FLAG: Final = _cache(
    "--engine",
    metavar="NAME",
    help="Engine or provider whose cache rules count: vllm, sglang, anthropic, ...; default: as the log names, else vllm.",
)

_POLICY_FLAGS: Final = (
    _cache("--ttl", "ttl_s", type=Duration(), metavar="SPAN", help="Time to live since the last use, as 5m or 1h."),
    _cache("--replicas", default=1, show_default=True, type=click.IntRange(1, 4096), metavar="N", help="Separate caches."),
    _cache(
        "--routing", metavar="NAME", help="Which replica gets a request: round-robin (default), random, hash-prefix, cache-aware."
    ),
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


def token_flags(command: Command) -> Command:
    """Add the options that say how a prompt becomes tokens."""
    return _with(command, _TOKEN_FLAGS)


def engine_flag(command: Command) -> Command:
    """Add ``--engine`` of the commands that replay a log under the rules of whoever served it."""
    return _with(command, (_ENGINE_FLAG,))


def policy_flags(command: Command) -> Command:
    """Add the options on how a cache is used: for how long, by how many, with whose rules."""
    return _with(command, _POLICY_FLAGS)


def cache_flags(block_name: str, *, has_many_sizes: bool) -> Callable[[Command], Command]:
    """Return what adds the options on one cache: its size (several if ``has_many_sizes``), its unit and what it gives up.

    The tokens of a block get the name ``block_name``.
    """
    of_one, of_many = "of each replica; default: no limit", "repeat it; default: from half the longest request to ample"
    options = (
        _cache(
            "--block-size",
            block_name,
            type=click.IntRange(min=1),
            metavar="N",
            help="Tokens a block or page holds; default: the engine's.",
        ),
        _cache(
            "--kv-tokens",
            multiple=has_many_sizes,
            type=click.IntRange(min=1),
            metavar="N",
            help=f"Size of the cache in tokens; {of_many if has_many_sizes else of_one}.",
        ),
        _cache(
            "--kv-gib",
            multiple=has_many_sizes,
            type=click.FloatRange(0, 1_000_000, min_open=True),
            metavar="X",
            help="The same in GiB; with --model.",
        ),
        _cache("--eviction", metavar="NAME", help="What SGLang gives up first: lru (default), lfu, slru, priority."),
        _cache(
            "--chunk",
            "chunk_tokens",
            type=click.IntRange(min=1),
            metavar="N",
            help="Prefill prompts in pieces of N tokens; default: whole.",
        ),
    )
    return lambda command: _with(command, options)


def lenient_flag(command: Command) -> Command:
    """Add ``--lenient``."""
    words = "Accept a log of which over 5 % of the records cannot be read; its rates are lower bounds."
    return click.option("--lenient", is_flag=True, help=words)(command)


def per_request_flag(command: Command) -> Command:
    """Add ``--per-request``."""
    return click.option("--per-request", metavar="FILE", help="Write one JSON line a request to FILE.")(command)


def text_flags(function: Command) -> Command:
    """How much text of the log is shown."""
    report = section("What is shown")
    function = report("--hash-only", is_flag=True, help="Show no text at all.")(function)
    help_text = "Show texts as they are, not only what many conversations share."
    shown: Command = report("--show-text", is_flag=True, help=help_text)(function)
    return shown


def shown_text(*, show_text: bool, hash_only: bool) -> Show:
    """Return what the flags ask for.

    Raises:
        UsageError: both were given.
    """
    from radixlint.result.measurement import Show

    if show_text and hash_only:
        raise click.UsageError("--show-text and --hash-only exclude each other")
    return Show.TEXT if show_text else Show.HASH if hash_only else Show.SHARED


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
