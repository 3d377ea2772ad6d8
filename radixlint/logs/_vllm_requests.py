"""vLLM's lines about one request: its prompt, its adapter, its answer; kept until it is known whether prompts were cut."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from radixlint.logs._engine_lines import COUNT
from radixlint.logs._id_lists import packed_ids
from radixlint.logs._python_repr import string_end, string_value
from radixlint.logs._record_json import RecordError
from radixlint.logs._tally import Tally
from radixlint.logs._vllm_cap import Extent, find_cap, is_one_length
from radixlint.traffic import TOKEN_BYTES, Request

CUT: Final = "prompt cut by --max-log-len; start the server without it"
NO_PROMPT: Final = "no prompt at level INFO; set VLLM_LOGGING_LEVEL=DEBUG, without --max-log-len"
UNREADABLE: Final = "request line not readable"
_PROMPTLESS: Final = "Requests without their prompt (logged at level INFO only; set VLLM_LOGGING_LEVEL=DEBUG) were left out"
_NO_YEAR: Final = "Times have neither year nor zone: they were placed in the year 2000, and only their differences matter"
_ONE_LENGTH: Final = (
    "All prompts are logged with the same number of ids: if --max-log-len was set, they were cut and rates are wrong"
)
_ENDING_CHARACTERS: Final = 4
_DIGEST_BYTES: Final = 8

# An id has no quotes, so that words of a prompt are not taken for the head of a line.
_HEAD: Final = re.compile(rb"(?:Received request|Request) ([^'\"]{1,300}?)(?: details)?: (prompt: |params: )")
_OUTPUT: Final = re.compile(rb"Generated response ([^'\"]{1,300}?)( \(streaming (?:delta|complete)\))?(?: details)?: ")
_OUTPUT_IDS: Final = re.compile(rb"output_token_ids: (\[[0-9, ]*\])")
_CAP_WORD: Final = b"max_log_len"
_CAP: Final = re.compile(rb"'max_log_len': " + COUNT)
_ADAPTER: Final = b"lora_request: LoRARequest("
_ADAPTER_NAME: Final = re.compile(rb"lora_name='((?:[^'\\]|\\.){0,500})'")
_IDS: Final = b", prompt_token_ids: "
_ID_LIST: Final = re.compile(rb"\[[0-9, ]*\]")
_NONE: Final = b"None"


Place = tuple[str, int]


class _Held(Struct):
    request: Request
    extent: Extent
    place: Place
    output: bytes = b""


class PromptLines:
    """The requests of one run. A cap shows only when all are seen, so all are kept until then."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._held: list[_Held] = []
        self._latest: dict[bytes, _Held] = {}
        self._without_prompt: list[Place] = []
        self._cap: int | None = None

    def take(self, message: bytes, time_s: Callable[[], float | None]) -> bool:
        """Take a line; return whether it was about a request. ``time_s`` gives its time.

        Raises:
            RecordError: its prompt cannot be read.
        """
        head = _HEAD.match(message)
        if head is None:
            return self._take_other(message)
        if head[2] == b"prompt: ":
            held = self._read(head[1], message[head.end() :], time_s())
            self._held.append(held)
            self._latest[head[1]] = held
            return True
        if head[1] in self._latest:
            held = self._latest[head[1]]
            held.request = replace(held.request, namespace=_namespace(message))
        else:
            self._without_prompt.append(self._tally.place)
        return True

    def rest(self, *, has_stats: bool) -> tuple[Request, ...]:
        """Return all requests, or none and count them as skipped if their prompts were cut or not logged."""
        extents = [held.extent for held in self._held]
        if _reaches(self._cap, extents) if self._cap else find_cap(extents) is not None:
            self._skip(CUT, [held.place for held in self._held])
            return ()
        if not self._held and not has_stats:
            for _ in self._without_prompt:
                self._tally.new_index()
            self._skip(NO_PROMPT, self._without_prompt)
        else:
            for place in self._without_prompt:
                self._tally.note(_PROMPTLESS, place)
        if is_one_length(extents):
            self._tally.note(_ONE_LENGTH)
        for held in self._held:
            if held.request.time_s is not None:
                self._tally.note(_NO_YEAR, held.place)
        return tuple(replace(held.request, output_ids=held.output) for held in self._held)

    def _skip(self, reason: str, places: Sequence[Place]) -> None:
        for place in places:
            self._tally.skip(reason, place=place)

    def _take_other(self, message: bytes) -> bool:
        output = _OUTPUT.match(message)
        if output is None:
            cap = _CAP.search(message) if _CAP_WORD in message else None
            self._cap = int(cap[1]) if cap else self._cap
            return False
        ids = _OUTPUT_IDS.search(message, output.end())
        held = self._latest.get(output[1])
        if held is not None and ids is not None and output[2] != b" (streaming complete)":
            held.output += packed_ids(ids[1]) or b""
        return True

    def _read(self, rid: bytes, text: bytes, time_s: float | None) -> _Held:
        end = string_end(text, 0) or (len(_NONE) if text.startswith(_NONE) else None)
        if end is None:
            raise RecordError(UNREADABLE)
        # Words of the sampling parameters stand between the two in old versions.
        at = end if text.startswith(_IDS, end) else text.rfind(_IDS, end)
        ids = None if at < 0 else _ids(text, at + len(_IDS))
        try:
            prompt, name = string_value(text[:end]), rid.decode()
        except UnicodeDecodeError:
            raise RecordError("not UTF-8") from None
        if prompt is None and not ids:
            raise RecordError(NO_PROMPT)
        request = Request(
            index=self._tally.new_index(),
            id=name,
            namespace=_namespace(text[max(at, end) :]),
            time_s=time_s,
            token_ids=ids,
            rendered=prompt if ids is None else None,
        )
        return _Held(request, _extent(prompt, ids), self._tally.place)


def _ids(text: bytes, start: int) -> bytes | None:
    found = _ID_LIST.match(text, start)
    if found is None:
        if text.startswith(_NONE, start):
            return None
        raise RecordError(UNREADABLE)
    ids = packed_ids(found[0])
    if ids is None:
        raise RecordError(UNREADABLE)
    return ids or None


def _extent(prompt: str | None, ids: bytes | None) -> Extent:
    return Extent(
        characters=None if prompt is None else len(prompt),
        ids=None if ids is None else len(ids) // TOKEN_BYTES,
        content=blake2b(ids or (prompt or "").encode("utf-8", "replace"), digest_size=_DIGEST_BYTES).digest(),
        ending=(prompt or "")[-_ENDING_CHARACTERS:],
    )


def _namespace(text: bytes) -> str:
    at = text.rfind(_ADAPTER)
    name = _ADAPTER_NAME.search(text, at) if at >= 0 else None
    return f"lora={name[1].decode('utf-8', 'replace')}" if name else ""


def _reaches(cap: int, extents: Sequence[Extent]) -> bool:
    # A text that was cut does no harm where all ids are there.
    return any(cap == (extent.characters if extent.ids is None else extent.ids) for extent in extents)
