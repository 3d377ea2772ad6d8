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
from radixlint.api.compared_split import split
from radixlint.api.compared_templates import compare_templates, read_template
from radixlint.api.log_opening import read_options
from radixlint.api.log_tokens import TokenOptions, tokenize
from radixlint.api.measured_policy import check_policy
from radixlint.api.measured_rows import NameHash, shown_name
from radixlint.errors import ConfigError, LogError, SourceError
from radixlint.layout import TOOLS_FIRST, open_layout
from radixlint.logs import Progress, read_logs
from radixlint.result.comparison import Comparison
from radixlint.result.measurement import Show
from radixlint.result.pair_comparison import TemplateComparison
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
    if (options.split_at is not None or options.requests) and len(paths) != 1:
        flag = "--split-at" if options.split_at is not None else "--request"
        hint = f"leave {flag} out to compare the two; several files of one log are given as a folder or a quoted pattern"
        raise ConfigError(f"takes one log, not {len(paths)}", where=flag, hint=hint)
    if options.split_at is None and not options.requests and len(paths) != 2:
        hint = "give the earlier one first; one log can be compared with --split-at TIME or two --request ID"
        raise ConfigError(f"two things are compared, not {len(paths)}", where="diff", hint=hint)
    if list(paths).count("-") > 1:
        raise ConfigError("standard input can be one of the two only", where="-")


def _compare_one(read: LogRead, options: CompareOptions) -> Comparison:
    if options.requests:
        one, other = chosen_requests(read, options.requests)
        return compare_requests(read, (one, other), options, _name(read.requests, options))
    return compare_logs(split(read, options.split_at or ""), options, _name(read.requests, options), are_of_one_log=True)


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


def _name(requests: Sequence[Request], options: CompareOptions) -> Name:
    if options.show is not Show.HASH:
        return shown_name
    return NameHash(tokenize(requests, TokenOptions(tokenizer=options.tokenizer)).requests)


def _compared_templates(one: str, other: str, options: CompareOptions) -> TemplateComparison | None:
    """Return the comparison of two templates, None where these are no templates, or may be logs."""
    paths = one, other
    if not all(Path(path).is_file() and Path(path).suffix.lower() in SUFFIXES for path in paths):
        return None
    as_logs = [_as_log(path, options) if Path(path).suffix.lower() in _ALSO_LOGS else False for path in paths]
    if True in as_logs:
        return None
    found = [read_template(path, options.start) for path in paths]
    if found[0] is not None and found[1] is not None:
        return compare_templates(paths, (found[0], found[1]), options)
    number = 0 if found[0] is None else 1
    unread = as_logs[number]
    if isinstance(unread, LogError) and unread.hint:
        raise unread
    raise SourceError("is neither a template nor a log that radixlint knows", where=paths[number])


def _as_log(path: str, options: CompareOptions) -> bool | LogError:
    """Return whether a file holds requests, or why it cannot be read as a log, which tells what to do about it."""
    try:
        return bool(read_logs([path], read_options(options.log)).requests)
    except LogError as error:
        return error
