"""The bundled sample log: reproducible, and as its documentation says."""

from __future__ import annotations

import json

import make_sample_log

from radixlint.layout import open_layout
from radixlint.logs import read_logs
from radixlint.tokenizers import PieceEncoder, encoding_for_model, open_tokenizer


def test_regenerating_gives_the_committed_bytes() -> None:
    """The generator, run again, writes the committed file byte for byte."""
    made = "".join(f"{line}\n" for line in make_sample_log.sample_lines())

    assert made.encode() == make_sample_log.SAMPLE.read_bytes()


def test_the_sample_reads_without_a_note() -> None:
    """Every record is read, ordered by time, and nothing seems missing from the log."""
    log = read_logs([str(make_sample_log.SAMPLE)])

    assert (log.format, log.skipped, log.notes) == ("openai-chat", {}, ())
    assert len(log.requests) == log.records
    assert [r.index for r in log.requests] == list(range(log.records))
    assert 150 <= log.records <= 250
    assert {len(r.tools) for r in log.requests} == {4}


def test_the_reported_prompt_tokens_are_ours() -> None:
    """Laid out and tokenized, each request has exactly the prompt tokens that its usage reports."""
    requests = read_logs([str(make_sample_log.SAMPLE)]).requests
    name, _ = encoding_for_model(requests[0].model)
    encoder = PieceEncoder(open_tokenizer(name))

    counted = [sum(len(encoder.encode_piece(piece.text)) // 4 for piece in open_layout().lay_out(r)) for r in requests]

    assert counted == [r.usage.prompt_tokens if r.usage else None for r in requests]


def test_only_the_mobile_client_breaks_the_prefix() -> None:
    """The mobile client, a minority, sends the clock and gets nothing from the cache; the web client gets most."""
    rows = [json.loads(line) for line in make_sample_log.SAMPLE.read_text(encoding="utf-8").splitlines()]
    by_client: dict[str, list[dict[str, object]]] = {}
    for row in rows:
        by_client.setdefault(row["metadata"]["client"], []).append(row)
    cached = {
        client: sum(row["usage"]["prompt_tokens_details"]["cached_tokens"] for row in mine)
        / sum(row["usage"]["prompt_tokens"] for row in mine)
        for client, mine in by_client.items()
    }

    assert 0.2 < len(by_client["mobile"]) / len(rows) < 0.5
    assert all("\nCurrent time: " in row["messages"][0]["content"] for row in by_client["mobile"])
    assert not any("Current time" in row["messages"][0]["content"] for row in by_client["web"])
    assert cached["mobile"] == 0
    assert cached["web"] > 0.8
