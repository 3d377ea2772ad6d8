"""Requests of a log to token ids: laid out piece by piece, each distinct piece encoded once."""

from __future__ import annotations

import itertools
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from msgspec import Struct

from radixlint.api.encoding_pool import Coming, EncodingPool
from radixlint.api.prompt_encoder import PromptEncoder
from radixlint.api.token_sequence import PieceIds, TokenColumns, TokenSequence
from radixlint.errors import ConfigError, LayoutError
from radixlint.layout import TOOLS_FIRST, Layout, TemplateLayout, open_layout
from radixlint.plural import counted
from radixlint.result.evidence import Evidence
from radixlint.tokenizers import encoding_for_model, open_tokenizer
from radixlint.traffic import TOKEN_BYTES, Request

IDS_GIVEN: Final = "ids given"
AS_RENDERED: Final = "as rendered"
# Two windows are on their way, and a chat template keeps 256 texts, so that none is rendered twice.
_WINDOW_REQUESTS: Final = 128
_DATED: Final = (
    "The chat template prints the date: that of each request in UTC, or a fixed one where the log gives no date. On a server "
    "whatever stands behind it is computed anew each day."
)


@dataclass(frozen=True, slots=True)
class TokenOptions:
    """How to make ids of a log.

    ``tokenizer`` is a name or a file, None for the vocabulary of each request's model. ``layout`` is a name, None for
    tools-first; ``chat_template`` a file that takes its place. ``store_outputs`` lets logged replies enter the cache as text.
    ``with_blocks`` works out the ends of content blocks and the places of cache marks, which only policies with breakpoints
    or units need. ``jobs`` processes encode; their number changes no id.
    """

    tokenizer: str | None = None
    layout: str | None = None
    chat_template: str | None = None
    store_outputs: bool = False
    with_blocks: bool = False
    jobs: int = 1


class LogTokens(Struct, frozen=True):
    """The tokenized requests, and what tokenized them.

    ``requests``, ``measured`` and ``positions`` go together: ``measured`` are those of the requests given, in their order,
    that have a prompt which could be laid out; ``positions`` is where they stand among all given. The ids of a request are
    joined on access, so keep a request rather than ask twice.

    ``tokenizer`` is the vocabulary's name (several joined by a comma) or ``ids given``; ``evidence`` is measured for
    given ids, static for a vocabulary named by the user or known for the model, else assumed. ``layout`` laid out the
    requests; ``layout_name`` is its name, ``as rendered`` or ``ids given`` where it was not needed. ``notes`` are full
    sentences on what was left out or assumed. ``again`` tokenizes changed requests in the same way: texts that stayed are not
    encoded anew; it raises LayoutError if one cannot be laid out.
    """

    requests: TokenSequence
    measured: Sequence[Request]
    positions: Sequence[int]
    tokenizer: str
    evidence: Evidence
    layout: Layout
    layout_name: str
    again: Callable[[Sequence[Request]], TokenSequence]
    notes: tuple[str, ...] = ()


class TokenCounter:
    """Counts tokens of any text with the vocabulary of one log; opens it on first use."""

    def __init__(self, tokenizer: str | None, requests: Sequence[Request]) -> None:
        self._name = tokenizer or encoding_for_model(next((r.model for r in requests), None))[0]

    def __call__(self, text: str) -> int:
        return open_tokenizer(self._name).count(text)


def tokenize(requests: Iterable[Request], options: TokenOptions | None = None) -> LogTokens:
    """Return the requests that have a prompt as token ids: the ids given, else those of their text.

    Raises:
        TokenizerError: the tokenizer is unknown or its vocabulary cannot be read.
        ConfigError: the chat template fails for every request, or does not come to an end.
    """
    options = options or TokenOptions()
    run = _Run(options)
    if options.jobs > 1:
        run.take_all(requests, EncodingPool(options.jobs))
    else:
        for position, request in enumerate(requests):
            run.take(position, request)
    return run.result()


_Window = list[tuple[int, Request]]
_Ahead = list[tuple[PromptEncoder, Coming, Coming]]


class _Run:
    """One pass over a log."""

    def __init__(self, options: TokenOptions) -> None:
        self._options = options
        self._layout = open_layout(options.layout or TOOLS_FIRST, template=options.chat_template)
        self._columns = TokenColumns()
        self._given = self._opened(options.tokenizer) if options.tokenizer else None
        self._encoders: dict[str, PromptEncoder] = {}
        self._models: dict[str | None, PromptEncoder] = {}
        self._is_assumed = False
        self._forms: dict[str, None] = {}
        self._failed: Counter[str] = Counter()
        self._measured: list[Request] = []
        self._positions = array("I")

    def take(self, position: int, request: Request) -> None:
        if not request.has_prompt:
            return
        try:
            ids = self._ids(request)
        except LayoutError as error:
            self._failed[error.message] += 1
            return
        self._measured.append(request)
        self._positions.append(position)
        self._columns.append(ids)

    def take_all(self, requests: Iterable[Request], pool: EncodingPool) -> None:
        """Take ``requests``, with what is long in the next ones encoded by ``pool`` meanwhile; close it."""
        try:
            numbered = enumerate(requests)
            coming: tuple[_Window, _Ahead] | None = None
            while window := list(itertools.islice(numbered, _WINDOW_REQUESTS)):
                ahead = self._start([request for _, request in window], pool)
                if coming:
                    self._finish(*coming)
                coming = window, ahead
            if coming:
                self._finish(*coming)
        finally:
            pool.close()

    def _start(self, requests: Sequence[Request], pool: EncodingPool) -> _Ahead:
        by_encoder: dict[PromptEncoder, list[Request]] = {}
        for request in requests:
            if request.has_prompt and request.token_ids is None and request.block_ids is None:
                by_encoder.setdefault(self._encoder(request.model), []).append(request)
        started = []
        for encoder, asked in by_encoder.items():
            pieces, whole = encoder.texts_ahead(asked)
            name = encoder.tokenizer.name
            both = pool.encode(name, pieces, reads_specials=False), pool.encode(name, whole, reads_specials=True)
            started.append((encoder, *both))
        return started

    def _finish(self, window: _Window, ahead: _Ahead) -> None:
        for encoder, pieces, whole in ahead:
            encoder.know(pieces.ids(), whole.ids())
        for position, request in window:
            self.take(position, request)

    def result(self) -> LogTokens:
        if self._failed and not self._measured:
            reason, _ = self._failed.most_common(1)[0]
            raise ConfigError(f"no request can be laid out: {reason}", where=self._layout.name)
        self._forget()
        names = ", ".join(sorted(self._encoders))
        evidence = Evidence.ASSUMED if self._is_assumed else Evidence.STATIC
        return LogTokens(
            requests=TokenSequence(self._measured, self._columns),
            measured=self._measured,
            positions=self._positions,
            tokenizer=names or IDS_GIVEN,
            evidence=evidence if names else Evidence.MEASURED,
            layout=self._layout,
            layout_name=", ".join(self._forms) or self._layout.name,
            again=self._again,
            notes=tuple(self._notes()),
        )

    def _again(self, requests: Sequence[Request]) -> TokenSequence:
        columns = TokenColumns(self._columns.buffers)
        for request in requests:
            columns.append(self._ids(request))
        self._forget()
        return TokenSequence(requests, columns)

    def _forget(self) -> None:
        for encoder in self._encoders.values():
            encoder.forget()

    def _ids(self, request: Request) -> PieceIds:
        # The last sampled token never enters a cache: nothing has been computed from it yet.
        output = request.output_ids[:-TOKEN_BYTES]
        given = request.block_ids if request.token_ids is None else request.token_ids
        if given is not None:
            self._forms[IDS_GIVEN] = None
            return PieceIds((self._columns.buffers.add(given),), output)
        encoder = self._encoder(request.model)
        self._forms[self._layout.name if request.rendered is None else AS_RENDERED] = None
        if self._options.store_outputs and not output:
            output = encoder.reply(request)[:-TOKEN_BYTES]
        return encoder.prompt(request, output, with_blocks=self._options.with_blocks)

    def _encoder(self, model: str | None) -> PromptEncoder:
        encoder = self._models.get(model)
        if encoder is None:
            name, is_unknown = (self._given.tokenizer.name, False) if self._given else encoding_for_model(model)
            self._is_assumed = self._is_assumed or is_unknown
            encoder = self._encoders.get(name) or self._given or self._opened(name)
            self._encoders[name] = self._models[model] = encoder
        return encoder

    def _opened(self, name: str) -> PromptEncoder:
        return PromptEncoder(open_tokenizer(name), self._layout, self._columns.buffers)

    def _notes(self) -> Iterable[str]:
        if isinstance(self._layout, TemplateLayout) and self._layout.prints_date:
            yield _DATED
        yield from (e.tokenizer.assumption for _, e in sorted(self._encoders.items()) if e.tokenizer.assumption)
        for reason, count in sorted(self._failed.items()):
            yield f"Left out {counted(count, 'request')} that cannot be laid out: {reason}."
