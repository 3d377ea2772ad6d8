"""Requests of a log to token ids: laid out piece by piece, each distinct piece encoded once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from radixlint.layout import lay_out
from radixlint.result.evidence import Evidence
from radixlint.tokenizers import ParagraphMemo, PieceEncoder, Tokenizer, encoding_for_model, open_tokenizer
from radixlint.traffic import TOKEN_BYTES, Request, TokenRequest

IDS_GIVEN = "ids given"


class LogTokens(Struct, frozen=True):
    """The tokenized requests, in the order given, and what tokenized them.

    ``tokenizer`` is the vocabulary's name (several joined by a comma) or ``ids given``; ``evidence`` is measured for
    given ids, static for a vocabulary named by the user or known for the model, else assumed.
    """

    requests: tuple[TokenRequest, ...]
    tokenizer: str
    evidence: Evidence


class TokenCounter:
    """Counts tokens of any text with the vocabulary of one log; opens it on first use."""

    def __init__(self, tokenizer: str | None, requests: Sequence[Request]) -> None:
        self._name = tokenizer or encoding_for_model(next((r.model for r in requests), None))[0]

    def __call__(self, text: str) -> int:
        return open_tokenizer(self._name).count(text)


def tokenize(requests: Iterable[Request], tokenizer: str | None) -> LogTokens:
    """Return the requests as token ids: the ids given, else the laid-out text in the vocabulary of ``tokenizer``.

    Without a ``tokenizer`` each request's model decides; an unknown model reads o200k_base, which is then assumed.

    Raises:
        TokenizerError: the tokenizer is unknown or its vocabulary cannot be read.
    """
    encoders: dict[str, PieceEncoder] = {}
    names: dict[str | None, tuple[str, bool]] = {}
    is_assumed = False
    tokenized: list[TokenRequest] = []
    given: Tokenizer | None = open_tokenizer(tokenizer) if tokenizer else None
    for request in requests:
        # The last sampled token never enters a cache: nothing has been computed from it yet.
        output = request.output_ids[:-TOKEN_BYTES]
        if request.token_ids is not None:
            tokenized.append(TokenRequest(request.index, request.token_ids, output, request.namespace))
            continue
        if request.model not in names:
            names[request.model] = (given.name, False) if given else encoding_for_model(request.model)
        name, is_unknown = names[request.model]
        is_assumed = is_assumed or is_unknown
        if name not in encoders:
            encoders[name] = PieceEncoder(ParagraphMemo(given or open_tokenizer(name)))
        encode = encoders[name].encode_piece
        tokens = b"".join([encode(piece.text) for piece in lay_out(request)])
        tokenized.append(TokenRequest(request.index, tokens, output, request.namespace))
    if not encoders:
        return LogTokens(tuple(tokenized), IDS_GIVEN, Evidence.MEASURED)
    return LogTokens(tuple(tokenized), ", ".join(sorted(encoders)), Evidence.ASSUMED if is_assumed else Evidence.STATIC)
