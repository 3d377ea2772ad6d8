"""Tell what is to be compared (two logs, two requests, two templates), read it, and compare it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO, Final

from msgspec import structs

from radixlint.api.collector_pause import without_visits_to
from radixlint.api.compare_options import CompareOptions
from radixlint.api.compared_logs import compare_logs
from radixlint.api.compared_part import Name
from radixlint.api.compared_requests import chosen_requests, compare_requests
from radixlint.api.compared_templates import compare_templates, read_template
from radixlint.api.log_opening import read_options
from radixlint.api.log_tokens import TokenOptions, tokenize
from radixlint.api.measured_policy import check_policy
from radixlint.api.measured_rows import NameHash, shown_name
from radixlint.errors import ConfigError, LogError, SourceError
from radixlint.layout import TOOLS_FIRST, open_layout
from radixlint.logs import Progress, parse_time, read_logs
from radixlint.result.comparison import Comparison, TemplateComparison
from radixlint.result.measurement import Show
from radixlint.sources import SUFFIXES
from radixlint.traffic import LogRead, Request

_ALSO_LOGS: Final = (".json", ".txt")


def compare(
    paths: Sequence[str],
    options: CompareOptions,
    *,
    stdin: BinaryIO | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Compare two of ``paths``, the earlier first, or two parts or requests of all of them; see ``read_logs`` for ``progress``.

    Files that ``check`` reads as templates are compared as such; logs with one request each as requests.

    Raises:
        ConfigError: an option is wrong, or options exclude each other.
        LogError: a log cannot be read, lacks what was named, or has nothing to compare.
        SourceError: a template does not parse.
        DataError, TokenizerError: an engine or a tokenizer is unknown.
    """
    _check(paths, options)
    # What is wrong with the options is told before a large log is read.
    check_policy(options.policy, None)
    open_layout(options.layout or TOOLS_FIRST, template=options.chat_template)
    if options.split_at is not None or options.requests:
        with without_visits_to(lambda: read_logs(paths, read_options(options.log), stdin=stdin, progress=progress)) as read:
            return _compare_one(read, options)
    templates = _compared_templates(paths[0], paths[1], options)
    if templates is not None:
        return templates
    return _compare_two((paths[0], paths[1]), options, stdin, progress)


def _check(paths: Sequence[str], options: CompareOptions) -> None:
    if options.split_at is not None and options.requests:
        raise ConfigError("a time and two requests exclude each other", where="--split-at", hint="leave one out")
    if options.layout is not None and options.chat_template is not None:
        raise ConfigError("a layout and a chat template exclude each other", where="--layout", hint="leave one out")
    if len(options.requests) not in (0, 2):
        raise ConfigError("two requests are compared", where="--request", hint="give it twice, the earlier request first")
    if options.split_at is None and not options.requests and len(paths) != 2:
        hint = "give the earlier one first; one log can be compared with --split-at TIME or two --request ID"
        raise ConfigError(f"two things are compared, not {len(paths)}", where="diff", hint=hint)
    if list(paths).count("-") > 1:
        raise ConfigError("standard input can be one of the two only", where="-")


def _compare_one(read: LogRead, options: CompareOptions) -> Comparison:
    if options.requests:
        one, other = chosen_requests(read, options.requests)
        return compare_requests(read, (one, other), options, _name(read.requests, options))
    return compare_logs(_split(read, options.split_at or ""), options, _name(read.requests, options))


def _compare_two(
    paths: tuple[str, str], options: CompareOptions, stdin: BinaryIO | None, progress: Progress | None
) -> Comparison:
    asked = read_options(options.log)
    before, after = (read_logs([path], asked, stdin=stdin, progress=progress) for path in paths)
    name = _name((*before.requests, *after.requests), options)
    counts = len(before.requests), len(after.requests)
    if counts == (1, 1):
        both = structs.replace(
            before,
            records=before.records + after.records,
            read=before.records_read + after.records_read,
            alterations=(*before.alterations, *after.alterations),
        )
        return compare_requests(both, (before.requests[0], after.requests[0]), options, name)
    if 0 in counts:
        raise LogError("holds no requests", where=paths[counts.index(0)], hint="statistics lines alone cannot be compared")
    return compare_logs((before, after), options, name)


def _split(read: LogRead, split_at: str) -> tuple[LogRead, LogRead]:
    """Return the requests before a time, and those from then on.

    Raises:
        ConfigError: it is no time.
        LogError: one part is empty, or the log has requests without a time.
    """
    time_s, _ = parse_time(split_at)
    if time_s is None:
        hint = "write 2026-03-02, 2026-03-02T09:00:00Z or seconds"
        raise ConfigError(f"{split_at!r} is no time", where="--split-at", hint=hint)
    if any(request.time_s is None for request in read.requests):
        raise LogError("requests without a time cannot be told apart by it", where="--split-at", hint="give two logs")
    before = tuple(request for request in read.requests if (request.time_s or 0.0) < time_s)
    after = read.requests[len(before) :]
    if not before or not after:
        raise LogError(f"all requests are {'from then on' if after else 'earlier'}", where=f"--split-at {split_at}")
    # What was read is told once: by the earlier part.
    later = structs.replace(read, requests=after, records=0, read=0, notes=(), alterations=())
    return structs.replace(read, requests=before, read=read.records_read), later


def _name(requests: Sequence[Request], options: CompareOptions) -> Name:
    if options.show is not Show.HASH:
        return shown_name
    return NameHash(tokenize(requests, TokenOptions(tokenizer=options.tokenizer)).requests)


def _compared_templates(one: str, other: str, options: CompareOptions) -> TemplateComparison | None:
    """Return the comparison of two templates, None where these are no templates, or may be logs."""
    if not all(Path(path).is_file() and Path(path).suffix.lower() in SUFFIXES for path in (one, other)):
        return None
    if any(Path(path).suffix.lower() in _ALSO_LOGS and _is_log(path, options) for path in (one, other)):
        return None
    found = [read_template(path, options.start) for path in (one, other)]
    if found[0] is None or found[1] is None:
        path = one if found[0] is None else other
        raise SourceError("is neither a template nor a log that radixlint knows", where=path)
    return compare_templates((one, other), (found[0], found[1]), options)


def _is_log(path: str, options: CompareOptions) -> bool:
    try:
        read = read_logs([path], read_options(options.log))
    except LogError:
        return False
    return bool(read.requests)
