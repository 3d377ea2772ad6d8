"""What a log lacks is named, and a log that lacks nothing is not accused."""

from __future__ import annotations

import io
import json
from typing import Any

from radixlint.logs import read_logs


def record(number: int = 0, **fields: object) -> dict[str, Any]:
    return {"id": f"r{number}", "messages": [{"role": "user", "content": f"question {number}"}], **fields}


def notes(*records: dict[str, Any]) -> tuple[str, ...]:
    return read_logs(["-"], stdin=io.BytesIO(b"".join(json.dumps(r).encode() + b"\n" for r in records))).notes


def notes_on(*texts: str) -> str:
    told = [record(i, messages=[{"role": "user", "content": text}]) for i, text in enumerate(texts)]
    return " ".join(notes(*told))


def test_what_is_missing_from_the_log_is_named() -> None:
    """No tools and no system message in any record are said, and not said when one record has them."""
    complete = record(0, tools=[{"name": "f"}], messages=[{"role": "system", "content": "Be kind."}])

    assert "No tools in any record" in notes_on("a")
    assert "No system message in any record" in notes_on("a")
    assert notes(complete, record(1)) == ()
    assert notes({"token_ids": [1]}) == ()


def test_text_that_looks_cut_is_noted() -> None:
    """Several texts of one round length, none longer, or texts that end in a mark, are told as cut; other logs are not."""
    capped = [f"{i:05d} {'x' * 2000}"[:1024] for i in range(3)]

    assert "exactly 1024 characters" in notes_on(*capped)
    assert "1 different texts end as if cut" in notes_on("x" * 300 + "...[truncated]", "short")
    assert "cut" not in notes_on(*capped[:2])
    assert "cut" not in notes_on(*capped, "y" * 1025)
    assert "cut" not in notes_on(*(c[:1000] + "tail" for c in capped), "and so on ...")


def test_sessions_that_start_late_are_noted() -> None:
    """A session whose first request holds an answer already, and ids that repeat, are told."""
    late = record(0, session="s", messages=[{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}])

    assert any("In 1 of 2 sessions the first request already carries an answer" in n for n in notes(late, record(1, session="t")))
    assert not any("already carries" in n for n in notes(record(1, session="s"), late))
    assert any("Ids repeat (1 different in 2 records)" in n for n in notes(late, late))
