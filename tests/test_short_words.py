"""A private word is not shown because the same letters stand elsewhere in other people's texts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from radixlint.api.analyze_options import AnalyzeOptions
from radixlint.api.measuring import analyze, measure
from radixlint.privacy import Crowd, Disclosure
from radixlint.privacy.crowd_search import Passage, holds, passage_at
from radixlint.reports import TextStyle, analyze_json, analyze_text
from radixlint.result.measurement import Show, TreeLimits
from radixlint.traffic import LogRead, Message, Request


def disclosure(texts: list[str]) -> Disclosure:
    return Disclosure(Show.SHARED, Crowd(tuple(range(len(texts))), (None,) * len(texts), False), texts.__getitem__, len)


def test_a_short_word_counts_only_where_it_stands() -> None:
    """``Will`` in front of a question makes no name of it; the same word behind the same words does."""
    elsewhere = [f"Will you wait for number {i}?\nName: none" for i in range(8)]
    name = "Hello.\nName: Will"
    at = name.index("Will")

    assert "Will" not in disclosure([*elsewhere, name]).window(name, at, len(name))
    assert disclosure([*elsewhere, *[name] * 5]).window(name, at, len(name)) == "Will"


@pytest.mark.parametrize("role", ["user", "assistant"])
def test_the_first_word_of_a_message_counts_for_its_role(role: str) -> None:
    """At the start of a message the role in front belongs to the place."""
    texts = [f"<|assistant|>\nWill do it {i}." for i in range(5)]
    own = f"<|{role}|>\nWill"

    shown = disclosure([*texts, own]).window(own, own.index("Will"), len(own))

    assert (shown == "Will") == (role == "assistant")


def test_a_word_in_a_long_line_needs_the_words_in_front_of_it() -> None:
    """Of a long line the last words count, not all of it: lines begin differently and go on alike."""
    texts = [f"{'word ' * i}and so the rest of the line goes on as it always does to Will" for i in range(12)]
    at = texts[11].index("Will")

    assert disclosure(texts).window(texts[11], at, len(texts[11])) == "Will"


def test_whole_words_are_common_not_their_letters() -> None:
    """A name that begins other names is not held by those who bear them; neither is one that ends other words."""
    longer = [f"I am here and my name is Willhelmina {i}" for i in range(8)]
    own = "I am here and my name is Will"

    shown = disclosure([*longer, own]).window(own, 0, len(own))

    assert "name is" in shown
    assert "Will" not in shown
    assert not holds("smart idea", (passage_at("an art idea", 3, 11),))
    assert holds("smart idea", (Passage("art idea"),))


def chat(i: int, text: str) -> Request:
    return Request(
        i, model="gpt-4o", session=f"s{i}", messages=(Message("system", "You help at the desk."), Message("user", text))
    )


def test_a_name_is_in_no_report_because_others_say_the_word() -> None:
    """Two people's forms part behind the first name; others ask with the same word."""
    asked = [chat(i, f"Will you wait for number {i}, as we said?") for i in range(9)]
    forms = [chat(9, "Name: Will Kowalski, ward 3"), chat(10, "Name: Will Kowalczyk, ward 4")]
    requests = (*asked, *forms)

    report = measure(LogRead("openai-chat", 11, requests, {}), AnalyzeOptions(top=50, tree=TreeLimits(depth=9, width=50)))

    for rendered in (analyze_text.render(report, TextStyle()), analyze_json.render(report, TextStyle())):
        assert "Name: Will" not in rendered
        assert "Kowal" not in rendered


def test_json_does_not_depend_on_the_order_of_files(tmp_path: Path) -> None:
    """Where all records have a time, the order in which files are given changes no byte of the report."""
    paths = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for number, path in enumerate(paths):
        records = [
            {
                "ts": 10 * i + number,
                "messages": [{"role": "user", "content": f"Now: 08:{i}{number}:09\n" + "Rule of the house. " * 40}],
            }
            for i in range(6)
        ]
        path.write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")
    options = AnalyzeOptions(top=9, tree=TreeLimits(depth=9, width=50))

    one, other = (analyze_json.render(analyze([str(p) for p in given], options), TextStyle()) for given in (paths, paths[::-1]))

    assert '"examples": [\n' in one
    assert one == other


def test_namespaces_are_named_by_position_in_time(tmp_path: Path) -> None:
    """A branch that is a namespace of its own is named alike whichever file comes first."""
    paths = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for number, path in enumerate(paths):
        records = [{"ts": 10 * i + number, "model": f"m{number}{i}", "token_ids": [number + 1, i]} for i in range(2)]
        path.write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")

    one, other = (
        analyze_json.render(analyze([str(p) for p in given], AnalyzeOptions(tree=TreeLimits())), TextStyle())
        for given in (paths, paths[::-1])
    )

    assert one == other
