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
            share = float(percent[1]) / 100 if percent else float(value)
        except ValueError:
            self.fail(f"{value!r} is no share (write 0.1 or 10%)", param, ctx)
        if percent and share > 1:
            self.fail(f"{value} is more than 100%", param, ctx)
        if not 0 <= share <= 1:
            meant = f"did you mean {value}%? " if 1 < share <= 100 else ""
            self.fail(f"{value} is no share from 0 to 1 ({meant}write 0.1 or 10%)", param, ctx)
        return share


_log = section("Which records")
_tokens = section("Prompt and tokens")
_cache = section("Whose cache")
_shown = section("What is shown")

_LOG_FLAGS: Final = (
    _log("--from", "format", metavar="FORMAT", help="Log format (`radixlint formats`); default: by record."),
    _log("--map", "maps", multiple=True, metavar="FILE", help="Describes a further log format; repeat it."),
    _log("--since", metavar="TIME", help="Leave out requests before this date or time."),
    _log("--until", metavar="TIME", help="Leave out requests from this date or time on."),
    _log("--session", "sessions", multiple=True, metavar="ID", help="Read this session alone; repeat it."),
    _log("--of-model", "models", multiple=True, metavar="NAME", help="Read requests to this model alone; repeat it."),
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
    _tokens("--tokenizer", metavar="NAME", help="Vocabulary, or its file; default: by the model."),
    _tokens("--layout", metavar="NAME", help="Order of parts (docs/layouts.md)."),
    _tokens("--chat-template", metavar="FILE", help="Template (or tokenizer_config.json) as layout."),
)

_ENGINE_FLAG: Final = _cache("--engine", metavar="NAME", help="vllm, sglang, ...; default: the log's, else vllm.")

_POLICY_FLAGS: Final = (
    _cache("--ttl", "ttl_s", type=Duration(), metavar="SPAN", help="Time to live since the last use, as 5m or 1h."),
    _cache("--replicas", default=1, show_default=True, type=click.IntRange(1, 4096), metavar="N", help="Separate caches."),
    _cache("--routing", metavar="NAME", help="round-robin (default), random, hash-prefix, cache-aware."),
    _cache(
        "--in-flight",
        default=0,
        type=click.IntRange(min=0),
        metavar="N",
        help="Lower bound for SGLang with N served at once.",
    ),
    _cache("--providers", "provider_files", multiple=True, metavar="FILE", help="Adds or changes providers; repeat it."),
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


def cache_flags(block_name: str, *, has_many_sizes: bool, has_model: bool = True) -> Callable[[Command], Command]:
    """Return what adds the options on one cache: its size (several if ``has_many_sizes``), its unit and what it gives up.

    The tokens of a block get the name ``block_name``. A size in GiB is for commands that know the served model.
    """
    of_one, of_many = "of each replica; default: no limit", "repeat it; default: small to ample"
    size = _cache(
        "--kv-tokens",
        multiple=has_many_sizes,
        type=click.IntRange(min=1),
        metavar="N",
        help=f"Size in tokens, {of_many if has_many_sizes else of_one}.",
    )
    in_gib = _cache(
        "--kv-gib",
        multiple=has_many_sizes,
        type=click.FloatRange(0, 1_000_000, min_open=True),
        metavar="X",
        help="The same in GiB; with --model.",
    )
    options = (
        _cache(
            "--block-size",
            block_name,
            type=click.IntRange(min=1),
            metavar="N",
            help="Tokens of a block or page; default: the engine's.",
        ),
        size,
        *((in_gib,) if has_model else ()),
        _cache("--eviction", metavar="NAME", help="SGLang gives up: lru (default), lfu, slru, priority."),
        _cache(
            "--chunk",
            "chunk_tokens",
            type=click.IntRange(min=1),
            metavar="N",
            help="Prefill in pieces of N tokens; default: whole.",
        ),
    )
    return lambda command: _with(command, options)


def gib_model_flag(command: Command) -> Command:
    """Add ``--model`` of commands that need it for a size in GiB alone."""
    return _with(command, (_cache("--model", metavar="NAME", help="Model that --kv-gib is for, as llama-3.1-8b."),))


def store_flag(command: Command) -> Command:
    """Add ``--store-outputs``."""
    words = "Let text replies enter the cache (ids always do)."
    return _with(command, (_tokens("--store-outputs", is_flag=True, help=words),))


def lenient_flag(command: Command) -> Command:
    """Add ``--lenient``."""
    words = "Accept over 5 % unreadable records."
    return _with(command, (section()("--lenient", is_flag=True, help=words),))


def quiet_flag(words: str = "No notes, warnings or progress on stderr.") -> Callable[[Command], Command]:
    """Return what adds ``--quiet``."""
    return section()("--quiet", "-q", "is_quiet", is_flag=True, help=words)


def per_request_flag(command: Command) -> Command:
    """Add ``--per-request``."""
    return _with(command, (section()("--per-request", metavar="FILE", help="Write one JSON line a request to FILE."),))


def text_flags(function: Command) -> Command:
    """How much text of the log is shown."""
    function = _shown("--hash-only", is_flag=True, help="Show no text at all.")(function)
    shown: Command = _shown("--show-text", is_flag=True, help="Show texts that few conversations share as well.")(function)
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
    policy = {field.name: flags.pop(field.name) for field in fields(PolicyOptions) if field.name in flags}
    return LogOptions(**log), PolicyOptions(**policy)


def _with(command: Command, options: tuple[Callable[[Command], Command], ...]) -> Command:
    for option in reversed(options):
        command = option(command)
    return command
