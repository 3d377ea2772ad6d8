"""The privacy rule: what few conversations hold is never shown, whatever the report."""

from __future__ import annotations

import hashlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radixlint.privacy import Crowd, Disclosure, Shown, crowd_of, mask_secrets, shape_of
from radixlint.privacy.crowd_search import ENOUGH, Passage, holds
from radixlint.privacy.secret_masks import MASK
from radixlint.result.measurement import Show
from radixlint.traffic import Message, Request

SHARED = "Answer in two short sentences and name the form."


def count_words(text: str) -> int:
    return len(text.split())


def disclosure(texts: list[str], show: Show = Show.SHARED, users: list[int] | None = None) -> Disclosure:
    crowd = Crowd(tuple(range(len(texts))), tuple(users) if users else (None,) * len(texts), users is not None)
    return Disclosure(show, crowd, texts.__getitem__, count_words)


def request(i: int, *messages: tuple[str, str], session: str | None = None, user: str | None = None) -> Request:
    return Request(i, session=session, user=user, messages=tuple(Message(role, text) for role, text in messages))


def test_text_is_shown_from_five_conversations_on() -> None:
    """Four conversations hide a sentence, five show it."""
    for count, shown in ((4, "<text, 9 tokens>"), (5, SHARED)):
        assert disclosure([SHARED] * count).window(SHARED, 0, len(SHARED)) == shown


def test_five_conversations_of_four_users_do_not_suffice() -> None:
    """Where the log names users, five of them are needed as well."""
    assert disclosure([SHARED] * 5, users=[0, 1, 2, 3, 3]).window(SHARED, 0, len(SHARED)) == "<text, 9 tokens>"
    assert disclosure([SHARED] * 5, users=[0, 1, 2, 3, 4]).window(SHARED, 0, len(SHARED)) == SHARED


def test_private_words_amid_shared_text_become_a_shape() -> None:
    """Only the part that few hold is hidden; the shared words around it stay."""
    texts = [f"{SHARED}\nTime: 2026-03-03T08:14:{i:02d}Z\nNever promise a day." for i in range(6)]

    shown = disclosure(texts).window(texts[0], 0, len(texts[0]), size=200)

    assert shown == f"{SHARED}\nTime: <time, second>\nNever promise a day."


def test_common_words_of_a_private_sentence_stay_hidden() -> None:
    """Each word may be common: a sentence is shown only if it occurs as a whole."""
    private = "Jane forms two sentences short"
    texts = [*[SHARED] * 9, private]

    assert disclosure(texts).window(private, 0, len(private)) == "<text, 5 tokens>"


NAMES, TOWNS, ILLS = (
    ["Anna", "Ben", "Carl", "Dan", "Eva", "Finn", "Gina", "Hans"],
    ["Bonn", "Kiel", "Ulm", "Jena", "Hamm"],
    ["gout", "asthma", "mumps"],
)
PEOPLE = [f"My name is {n} Krause, I live in {t} and I was diagnosed with {i}" for n in NAMES for t in TOWNS for i in ILLS]


def is_held_by_enough(shown: Shown, texts: list[str]) -> bool:
    stretches = [shown.source[start:end] for start, end in shown.spans]
    pattern = re.compile(".*".join(map(re.escape, stretches)), re.DOTALL)
    return sum(bool(pattern.search(text)) for text in texts) >= ENOUGH


@pytest.mark.parametrize("text", PEOPLE[::7])
def test_common_words_are_not_glued_to_a_private_sentence(text: str) -> None:
    """Name and town, town and illness may be common, the three together are one person: not all of them are shown."""
    start = text.index("Krause") - 5

    shown = disclosure(PEOPLE).shown(text, start, len(text))

    assert shown.spans
    assert is_held_by_enough(shown, PEOPLE)
    assert text[start:].strip() not in shown.text
    assert "<text, " in shown.text


def test_words_in_front_are_common_together_with_the_value() -> None:
    """Two fields of one report are read as one text: what stands in front is tested together with the value behind it."""
    front, values = [f"Patient of ward number {i}. " for i in range(6)], [f"Diagnosis is kind number {i}." for i in range(6)]
    texts = [one + value for one in front for value in values]
    at = len(front[0])
    told = disclosure(texts)

    value = told.shown(texts[0], at, len(texts[0]))

    assert value.text == values[0]
    assert told.shown(texts[0], 0, at).text == front[0].rstrip()
    assert told.shown(texts[0], 0, at, beside=(value,)).text != front[0].rstrip()


@given(
    text=st.text("ab", max_size=12),
    parts=st.lists(st.tuples(st.text("ab", min_size=1, max_size=3), st.integers(0, 4)), min_size=1, max_size=3),
)
def test_holding_passages_in_order_equals_a_pattern(text: str, parts: list[tuple[str, int]]) -> None:
    """Searching place by place finds what a regular expression with bounded gaps finds."""
    pattern = re.escape(parts[0][0]) + "".join(f".{{0,{gap}}}{re.escape(part)}" for part, gap in parts[1:])

    assert holds(text, [Passage(part, gap) for part, gap in parts]) == bool(re.search(pattern, text))


def test_hashes_are_keyed_by_the_whole_log() -> None:
    """Equal logs give equal hashes; a short text cannot be looked up from the hashes of another log, or of nothing."""
    one, again, other = (disclosure(["yes", extra], Show.HASH).window("yes", 0, 3) for extra in ("a", "a", "b"))

    assert one == again != other
    assert hashlib.sha256(b"yes").hexdigest()[:12] not in one


def test_show_text_masks_secrets_and_hash_only_shows_nothing() -> None:
    """Opting out still masks secrets; opting in leaves a hash and a length."""
    text = "call with key sk-proj-A1b2C3d4A1b2C3d4A1b2 please"

    assert disclosure([text], Show.TEXT).window(text, 0, len(text)) == "call with key <secret> please"
    hashed = disclosure([text] * 9, Show.HASH).window(text, 0, len(text))
    assert hashed.startswith("<hash ")
    assert "call" not in hashed


def test_secret_cut_by_the_window_is_masked() -> None:
    """A window that starts or ends inside a secret shows no part of it."""
    text = "key " + "AKIA" + "IOSFODNN7EXAMPLE" + " end"

    shown = disclosure([text] * 9, Show.TEXT).window(text, 10, 18)

    assert shown == "<secret>"


@pytest.mark.parametrize(
    "secret",
    [
        "sk-" + "proj-" + "A1b2C3d4" * 6,
        "AKIA" + "IOSFODNN7" + "EXAMPLE",
        "eyJ" + "hbGciOiJub25lIn0.eyJzdWIiOiJ4In0.",
        "ghp_" + "x" * 36,
        "-----BEGIN " + "PRIVATE KEY-----\nMIIB\n-----END " + "PRIVATE KEY-----",
        "jane@example.invalid",
        "+1 555 0100",
        "4111 1111 1111 1111",
        "078-05-1120",
        "password: hunter22",
        "Bearer abcdefghijklmnop",
        "xoxb-123456789-abcdef",
    ],
)
def test_secrets_and_personal_numbers_are_masked_even_if_shared(secret: str) -> None:
    """Every shape is masked in every mode, however many conversations hold it; the words around stay."""
    text = f"the rules of the house {secret} are the rules of the house"

    for show in Show:
        shown = disclosure([text] * 9, show).window(text, 0, len(text), size=500)
        assert secret not in shown
        assert secret[8:] not in shown
    assert mask_secrets(text).replace(MASK, "") == "the rules of the house  are the rules of the house"


@pytest.mark.parametrize("text", ["2026-11-29", "version 1.2.3", "12 of 345 tokens", "a-b-c", "sk-short", "order 20261129"])
def test_ordinary_text_is_not_masked(text: str) -> None:
    """Dates, versions and small numbers are no secrets."""
    assert mask_secrets(text) == text


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("2026-03-03T08:14:09+00:00", "<time, second>"),
        ("2026-03-03 08:14:09.123Z", "<time, second>"),
        ("08:14", "<time, minute>"),
        ("Tuesday, 3 March 2026", "<date>"),
        ("2026-03-03", "<date>"),
        ("123e4567-e89b-12d3-a456-426614174000", "<uuid>"),
        ("1,234", "<number>"),
        ("0x7f3a9bc012", "<hex>"),
        ("deadbeef1234", "<hex>"),
        ("some words", "<text, 2 tokens>"),
    ],
)
def test_shapes(text: str, shape: str) -> None:
    """A hidden value is named by its kind, anything else by its length."""
    assert shape_of(text, count_words) == shape


def test_sessions_are_conversations() -> None:
    """A session id decides, whatever the messages are."""
    requests = [request(i, ("user", f"q{i}"), session="a" if i < 3 else "b") for i in range(5)]

    assert crowd_of(requests).conversations == (0, 0, 0, 1, 1)


def test_chains_without_session_ids_count_once() -> None:
    """A request that repeats another's newest message in its history continues it, also behind a cut; equals are one."""
    one = ("user", "my private question")
    requests = [
        request(0, ("system", "s"), one),
        request(1, ("system", "s"), one, ("assistant", "a"), ("user", "next")),
        request(2, ("system", "s"), ("user", "next"), ("assistant", "b"), ("user", "third")),
        request(3, ("system", "s"), one),
        request(4, ("system", "s"), ("user", "another person")),
    ]

    assert crowd_of(requests).conversations == (0, 0, 0, 0, 1)


def test_system_text_alone_links_nobody() -> None:
    """Requests that share only their instructions are different conversations."""
    requests = [request(i, ("system", "the same for all"), ("user", f"question {i}")) for i in range(6)]

    assert len(set(crowd_of(requests).conversations)) == 6


words = st.text("abcdef", min_size=1, max_size=5)


@given(st.lists(st.lists(words, min_size=1, max_size=12), min_size=1, max_size=12), st.integers(0, 60), st.data())
def test_whatever_is_shown_occurs_in_enough_conversations(texts: list[list[str]], start: int, data: st.DataObject) -> None:
    """Every stretch of shown text stands in at least five texts; the rest is shapes."""
    joined = [" ".join(t) for t in texts]
    text = data.draw(st.sampled_from(joined))

    shown = disclosure(joined).window(text, start, start + 40, size=500)

    stretches = [part for chunk in shown.split("<") for part in [chunk.split(">")[-1].strip()] if part]
    assert all(sum(stretch in other for other in joined) >= ENOUGH for stretch in stretches)
