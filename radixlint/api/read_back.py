"""The text of prompts that are known by their token ids, where a named tokenizer gives exactly these ids again."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from radixlint.tokenizers import Tokenizer
from radixlint.traffic import Request


def read_back(requests: Sequence[Request], tokenizer: Tokenizer) -> Sequence[Request]:
    """Return the requests with the rendered text of their ids, the same if none can be read; the ids stay and count.

    A text that is encoded to other ids (of another vocabulary, or cut elsewhere than the tokenizer cuts) is not taken: fixes
    of it would be compared with tokens that nobody sent.
    """
    reader = tokenizer.reading_specials()
    found = []
    for request in requests:
        ids = request.token_ids
        text = None if ids is None or request.rendered is not None or request.messages else reader.decode(ids)
        found.append(request if text is None or reader.encode(text) != ids else structs.replace(request, rendered=text))
    return found if any(a is not b for a, b in zip(found, requests, strict=True)) else requests
