"""One run over records of a mapped format: rows, whose they are, what they hold, and which of them are calls at all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from radixlint.logs._batch_join import BatchJoin
from radixlint.logs._call_tree import CallTree
from radixlint.logs._id_lists import packed_ids
from radixlint.logs._logged_bodies import as_fields
from radixlint.logs._map_bodies import read_body, read_reply
from radixlint.logs._map_conditions import holds
from radixlint.logs._map_messages import listed_messages, usual_messages
from radixlint.logs._map_paths import Scopes, all_in, first_in, scalar_in
from radixlint.logs._map_schema import NAMED, PROMPT, Condition, Map
from radixlint.logs._map_usage import mapped_usage
from radixlint.logs._opened_text import opened
from radixlint.logs._record_fields import response_records, shared_fields
from radixlint.logs._record_json import Record, RecordError, as_record, decode_value
from radixlint.logs._request_bodies import Prompt
from radixlint.logs._tally import Tally
from radixlint.logs._turns import by_reply
from radixlint.traffic import Request

_NO_PROMPT: Final = Condition(paths=(), reason="no prompt", note="Requests without a prompt that can be read give usage alone")
# The name under which ``shared_fields`` looks first, and the field of the request.
_FIELDS: Final = {
    "id": ("request_id", "id"),
    "model": ("model", "model"),
    "session": ("session", "session"),
    "user": ("user", "user"),
    "tenant": ("tenant", "tenant"),
    "tags": ("tags", "tags"),
    "template": ("prompt_template", "template"),
    "host": ("host", "host"),
    "time": ("ts", "time_s"),
    "metadata": ("metadata", ""),
}
_ARN: Final = "arn:"
_EMPTY: Final = (b'""', b"[]", b"{}")


class MapReading:
    """The rows of one run."""

    def __init__(self, map_: Map, tally: Tally) -> None:
        self._map = map_
        self._tally = tally
        self._tree = CallTree(tally)
        self._join = BatchJoin(tally)
        self._nameless = 0
        # A stored conversation is never one text.
        self._read_as = {"messages": opened if map_.is_expanded else listed_messages, "tools": opened}

    def take(self, found: Sequence[Record]) -> Sequence[Request]:
        done: list[Request] = []
        faults: list[RecordError] = []
        count = 0
        for scopes in self._rows(found):
            try:
                requests = self._row(scopes, found[0])
                count += 1
                done += requests
            except RecordError as error:
                faults.append(error)
        if faults and not count:
            raise faults[0]
        for fault in faults:
            self._tally.note(f"Left out of its record, {fault.reason}")
        return done

    def rest(self) -> Sequence[Request]:
        return [*self._join.rest(), *(request for _, request in self._tree.rest())]

    def stats(self) -> None:
        return None

    def _rows(self, found: Sequence[Record]) -> list[Scopes]:
        outer = tuple(reversed(found))
        inner = [as_record(opened(one)) for one in all_in(outer, self._map.each)] if self._map.each else []
        return [(one, *outer) for one in inner if one is not None] or [outer]

    def _row(self, scopes: Scopes, record: Record) -> Sequence[Request]:
        map_ = self._map
        node = self._node(scopes)
        if node is not None:
            parent = scalar_in(scopes, map_.merge.get("parent", ()))
            self._tree.link(node, None if parent is None else str(parent))
        unmet = next((one for one in map_.where if not holds(one, scopes)), None)
        barred = next((one for one in map_.skip if holds(one, scopes)), None) if unmet is None else unmet
        if barred is not None:
            if barred.note or barred.reason:  # it was understood, so it is no bad record
                self._tally.note(barred.note or f"Left out, {barred.reason}")
            return ()
        request = self._request(scopes, record)
        for one in map_.notes:
            if holds(one, scopes):
                self._tally.note(one.note)
        if map_.is_expanded:
            return by_reply(request, self._tally)
        if node is not None:
            self._tree.add(node, request)
            return ()
        key = scalar_in(scopes, map_.join)
        if key is not None:
            return self._join.add_request(str(key), request) if request.has_prompt else self._join.add_answer(str(key), request)
        return (replace(request, index=self._tally.new_index()),)

    def _node(self, scopes: Scopes) -> tuple[str, str] | None:
        if not self._map.merge:
            return None
        trace, id_ = (scalar_in(scopes, self._map.merge.get(name, ())) for name in ("trace", "id"))
        if id_ is None:
            self._nameless += 1
            return "", f"row {self._nameless}"
        return str(trace or ""), str(id_)

    def _request(self, scopes: Scopes, record: Record) -> Request:
        body = self._body(scopes)
        request = self._named(scopes, body, record)
        paths = self._map.paths
        output = first_in(scopes, paths["output_ids"]) if "output_ids" in paths else None
        if output is not None:
            request = replace(request, output_ids=packed_ids(bytes(opened(output))) or b"")
        reply = first_in(scopes, paths["reply"]) if "reply" in paths else None
        if reply is not None:
            request = replace(request, reply=read_reply(self._map.body_kind, opened(reply), self._tally))
        return self._with_prompt(request, body, scopes)

    def _body(self, scopes: Scopes) -> Record:
        """Return the body that the map names, with what it says of parts of it put in their places."""
        body: Record = {}
        field = first_in(scopes, self._map.body) if self._map.body else None
        if field is not None:
            field = opened(field)
            is_list = bytes(memoryview(field)[:1]) == b"["
            body = {"messages": field} if is_list else as_record(field) or {}
        for name in PROMPT:
            found = first_in(scopes, self._map.paths.get(name, ()))
            if found is not None and bytes(found) not in _EMPTY:
                read = self._read_as.get(name)
                body = body | {"prompt" if name == "token_ids" else name: read(found) if read else found}
        if "messages" in body:
            body = body | {"messages": usual_messages(body["messages"], self._map.shape)}
            if bytes(memoryview(body["messages"])[:1]) != b"[":
                del body["messages"]
        return body

    def _named(self, scopes: Scopes, body: Record, record: Record) -> Request:
        """Return the request without its prompt: names where the map says, all others under the usual names."""
        told = [name for name in NAMED if name in self._map.paths]
        fields = {_FIELDS[name][0]: self._name(name, scopes) for name in told}
        around = [*scopes, body] if body else list(scopes)
        answers = response_records(record)
        request = shared_fields([as_fields(fields), *around], self._tally.next_index, self._tally, answers=answers)
        missing = [name for name in told if fields[_FIELDS[name][0]] is None and name != "metadata"]
        changes: dict[str, object] = {_FIELDS[name][1]: () if name == "tags" else None for name in missing}
        if self._map.usage:
            changes["usage"] = mapped_usage(self._map.usage, scopes, self._tally)
        return replace(request, **changes) if changes else request

    def _name(self, name: str, scopes: Scopes) -> object:
        if name in ("tags", "metadata"):
            field = first_in(scopes, self._map.paths[name])
            return None if field is None else decode_value(opened(field))
        value = scalar_in(scopes, self._map.paths[name])
        if name == "model" and isinstance(value, str) and value.startswith(_ARN):
            return value.rpartition("/")[2]  # what stands before it is the account's
        return value

    def _with_prompt(self, request: Request, body: Record, scopes: Scopes) -> Request:
        lack = next((one for one in self._map.lack if holds(one, scopes)), _NO_PROMPT)
        try:
            prompt: Prompt = read_body(self._map.body_kind, body, self._tally)
        except RecordError as error:
            if request.usage is None:
                raise RecordError(lack.reason if lack.paths else error.reason) from None
            prompt = {}
        if prompt:
            return replace(request, **prompt)
        if request.usage is None:
            raise RecordError(lack.reason)
        if scalar_in(scopes, self._map.join) is None:  # else its prompt may follow
            self._tally.note(lack.note)
        return request
