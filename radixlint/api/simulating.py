"""From a log or an invented workload to simulated cache hits, one run a policy and cache size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import BinaryIO, Final

from radixlint.api.collector_pause import without_visits_to
from radixlint.api.log_opening import read_options
from radixlint.api.log_tokens import TokenOptions, tokenize
from radixlint.api.measured_figures import tokenizer_evidence
from radixlint.api.measured_rows import shown_name
from radixlint.api.simulate_options import SCHEDULERS, SimulateOptions, page_size, sizes_asked
from radixlint.errors import ConfigError, LogError
from radixlint.layout import TOOLS_FIRST, open_layout
from radixlint.logs import Progress, read_logs
from radixlint.plural import counted
from radixlint.radix import RadixTree
from radixlint.result.evidence import Evidence
from radixlint.result.simulation import ServedRow, SimulationReport, SimulationRun
from radixlint.serving.schedule_order import unsorted_picks
from radixlint.serving.serial import SerialRun, serve_serially
from radixlint.serving.serial_blocks import serve_blocks_serially
from radixlint.serving.workloads import make_workload
from radixlint.traffic import TOKEN_BYTES, LogRead, Request, TokenRequest

_EVICTION_WORDS: Final = {
    "lru": "least recently used first",
    "lfu": "least often used first",
    "slru": "those used once before those used again, each least recently used first",
    "priority": "lowest priority first",
}


@dataclass(frozen=True, slots=True)
class _Load:
    """Requests to serve and where they are from; ``logged`` is empty for a workload."""

    source: str
    read: LogRead
    requests: tuple[TokenRequest, ...]
    tokenizer: str
    evidence: Evidence
    seed: int | None = None
    notes: tuple[str, ...] = ()


def simulate_workload(name: str, options: SimulateOptions | None = None) -> SimulationReport:
    """Serve the workload ``name``.

    Raises:
        ConfigError: a name, size or combination is wrong.
    """
    options = _with_usual_names(options)
    requests = make_workload(name, options.seed)
    read = LogRead(format="workload", records=len(requests), requests=(), skipped={}, read=len(requests))
    return _report(_Load(name, read, requests, "ids drawn", Evidence.ASSUMED, options.seed), options)


def simulate_logs(
    paths: Sequence[str],
    options: SimulateOptions | None = None,
    *,
    stdin: BinaryIO | None = None,
    progress: Progress | None = None,
) -> SimulationReport:
    """Serve the requests of the logs ``paths`` (``-`` is ``stdin``) as if all had waited from the start, in log order.

    Requests whose prompt is not in the log are left out, and a note says so; see ``read_logs`` for ``progress``.

    Raises:
        LogError: a log cannot be opened, holds no readable record, or no prompt.
        ConfigError: a name, size or combination is wrong.
        DataError: the model is unknown.
        TokenizerError: the tokenizer is unknown.
    """
    options = _with_usual_names(options)
    # What is wrong with the options is told before a large log is read.
    page_size(options)
    if options.layout is not None and options.chat_template is not None:
        raise ConfigError("a layout and a chat template exclude each other", where="--layout", hint="leave one out")
    open_layout(options.layout or TOOLS_FIRST, template=options.chat_template)
    asked, as_ids = read_options(options.log), TokenOptions(options.tokenizer, options.layout, options.chat_template)
    with without_visits_to(lambda: read_logs(paths, asked, stdin=stdin, progress=progress)) as read:
        tokens = tokenize(read.requests, as_ids)
        notes = (*read.notes, *tokens.notes, *_left_out(read))
        served = tuple(tokens.requests)
        evidence = tokenizer_evidence(tokens.evidence, tokens.measured, served)
        return _report(_Load(", ".join(paths), read, served, tokens.tokenizer, evidence, notes=notes), options)


def _with_usual_names(options: SimulateOptions | None) -> SimulateOptions:
    options = options or SimulateOptions()
    return replace(options, engine=options.engine.lower())


def _left_out(read: LogRead) -> tuple[str, ...]:
    """Return the note on requests without a prompt.

    Raises:
        LogError: there are no others.
    """
    missing, total = sum(not request.has_prompt for request in read.requests), len(read.requests)
    if missing and missing == total:
        raise LogError("no record holds its prompt", hint="radixlint analyze shows what was reported, simulate replays prompts")
    return (f"Left out {missing:,} of {counted(total, 'request')}: their prompts are not in the log.",) if missing else ()


def default_sizes(longest_tokens: int, distinct_tokens: int, page_tokens: int) -> tuple[int, ...]:
    """Return cache sizes from too small for the longest request to ample, rising, in whole pages.

    Half, once, 4 and 16 times the longest request as far as they cannot hold all distinct tokens; then room for these
    beside one running request and the page to spare that the engine asks for, so that nothing is ever evicted.
    """
    ample = sum(_pages(tokens, page_tokens) for tokens in (distinct_tokens, longest_tokens, page_tokens))
    tight = (_pages(times * longest_tokens // 2, page_tokens) for times in (1, 2, 8, 32))
    return (*sorted({size for size in tight if page_tokens <= size < distinct_tokens}), ample)


def _report(load: _Load, options: SimulateOptions) -> SimulationReport:
    page_tokens = page_size(options)
    requests = load.requests
    if any(request.id_tokens > 1 for request in requests):
        raise ConfigError("the log holds ids of blocks, and the schedulers need tokens", hint="analyze it with --kv-tokens")
    distinct_tokens = serve_serially(requests, policy="fcfs", page_tokens=page_tokens).stored_tokens
    longest = max((len(r.tokens) + len(r.output) for r in requests), default=0) // TOKEN_BYTES
    held_tokens = _serve(requests, options, page_tokens, "fcfs", None).stored_tokens
    sizes = sizes_asked(options) or default_sizes(longest, held_tokens, page_tokens)
    served = [
        (policy, size, _serve(requests, options, page_tokens, policy, size))
        for size in dict.fromkeys(sizes)
        for policy in dict.fromkeys(options.policies or SCHEDULERS[options.engine])
    ]
    return SimulationReport(
        source=load.source,
        input_format=load.read.format,
        seed=load.seed,
        records=load.read.records,
        read=load.read.records_read,
        skipped=tuple(sorted(load.read.skipped.items())),
        notes=load.notes,
        alterations=load.read.alterations,
        requests=len(requests),
        prompt_tokens=sum(request.prompt_tokens for request in requests),
        longest_tokens=longest,
        distinct_tokens=distinct_tokens,
        engine=options.engine,
        page_tokens=page_tokens,
        eviction=_eviction_words(options),
        chunk_tokens=options.chunk_tokens,
        tokenizer=load.tokenizer,
        tokenizer_evidence=load.evidence,
        runs=tuple(summarize(policy, size, run) for policy, size, run in served),
        rows=_rows(served[0][2], load.read.requests, page_tokens) if options.with_rows else (),
    )


def _serve(
    requests: Sequence[TokenRequest], options: SimulateOptions, page_tokens: int, policy: str, kv_tokens: int | None
) -> SerialRun:
    if options.engine == "vllm":
        return serve_blocks_serially(requests, block_tokens=page_tokens, kv_tokens=kv_tokens)
    return serve_serially(
        requests,
        policy=policy,
        page_tokens=page_tokens,
        kv_tokens=kv_tokens,
        eviction=options.eviction,
        chunk_tokens=options.chunk_tokens,
    )


def _eviction_words(options: SimulateOptions) -> str:
    if options.engine == "vllm":
        return "single blocks, least recently freed first, the tail of a prompt before its head, running requests locked"
    return f"whole leaves, {_EVICTION_WORDS[options.eviction]}, running requests locked"


def summarize(policy: str, kv_tokens: int, run: SerialRun) -> SimulationRun:
    """Return the sums of one run."""
    unfit = [entry.request.prompt_tokens for entry in run.served if entry.position is None]
    prompt_tokens = sum(entry.request.prompt_tokens for entry in run.served)
    cached_tokens = sum(entry.cached_tokens for entry in run.served)
    return SimulationRun(
        policy=policy,
        kv_tokens=kv_tokens,
        served_requests=len(run.served) - len(unfit),
        unfit_requests=len(unfit),
        unfit_tokens=sum(unfit),
        prompt_tokens=prompt_tokens,
        cached_tokens=cached_tokens,
        hit_rate=cached_tokens / prompt_tokens if prompt_tokens else None,
        evicted_tokens=run.evicted_tokens,
        unsorted_picks=unsorted_picks(policy, len(run.served) - len(unfit)),
    )


def _pages(tokens: int, page_tokens: int) -> int:
    return -(-tokens // page_tokens) * page_tokens


def _rows(run: SerialRun, logged: Sequence[Request], page_tokens: int) -> tuple[ServedRow, ...]:
    """Return one row a request; ``logged`` adds what only the log knows."""
    known = {request.index: request for request in logged}
    unlimited = RadixTree()
    rows = []
    for now, entry in enumerate(sorted(run.served, key=lambda entry: (entry.position is None, entry.position or 0))):
        request, log = entry.request, known.get(entry.request.index)
        shareable = unlimited.match(request.tokens, request.namespace)
        if entry.position is not None:
            unlimited.insert(request.tokens + request.output, now=now, namespace=request.namespace, owner=request.index)
        rows.append(
            ServedRow(
                index=request.index,
                id=shown_name(log.id) if log else None,
                prompt_tokens=request.prompt_tokens,
                shareable_tokens=shareable,
                engine_tokens=entry.cached_tokens,
                reported_tokens=log.usage.cached_tokens if log and log.usage else None,
                cause=_cause(request.prompt_tokens, shareable, entry.cached_tokens, page_tokens),
                served=entry.position,
            )
        )
    return tuple(sorted(rows, key=lambda row: row.index))


def _cause(prompt_tokens: int, shareable_tokens: int, engine_tokens: int, page_tokens: int) -> str:
    """Return the cause of most of what was computed; of equal ones the first of: unknown, capacity, block-floor."""
    reusable = max(0, min(shareable_tokens, prompt_tokens - 1)) // page_tokens * page_tokens
    losses = {
        "unknown": prompt_tokens - shareable_tokens,
        "capacity": reusable - engine_tokens,
        "block-floor": shareable_tokens - reusable,
    }
    cause = max(losses, key=lambda name: losses[name])
    return cause if losses[cause] else "hit"
