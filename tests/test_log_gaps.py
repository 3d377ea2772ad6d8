"""What a log lacks is named, and a log that lacks nothing is not accused."""

from __future__ import annotations

import pytest
from log_records import asking, read_records

from radixlint.logs._log_gaps import name_gaps
from radixlint.traffic import Message, Request


def notes(*records: object) -> tuple[str, ...]:
    return read_records(*records).notes


def notes_on(*texts: str) -> str:
    told = [asking(i, messages=[{"role": "user", "content": text}]) for i, text in enumerate(texts)]
    return " ".join(notes(*told))


def chat(*texts: str, system: str | None = None) -> list[dict[str, str]]:
    told = [{"role": ("user", "assistant")[i % 2], "content": text} for i, text in enumerate(texts)]
    return told if system is None else [{"role": "system", "content": system}, *told]


def late_starts(*conversations: list[dict[str, str]]) -> list[str]:
    found = notes(*(asking(i, messages=messages) for i, messages in enumerate(conversations)))
    return [note.split(" carry")[0] for note in found if "no earlier request asked" in note]


def test_what_is_missing_from_the_log_is_named() -> None:
    """No tools and no system message in any record are said, and not said when one record has them."""
    complete = asking(0, tools=[{"name": "f"}], messages=[{"role": "system", "content": "Be kind."}])

    assert "No tools in any record" in notes_on("a")
    assert "No system message in any record" in notes_on("a")
    assert notes(complete, asking(1)) == ()
    assert notes({"token_ids": [1]}) == ()


def test_texts_of_one_round_length_are_noted() -> None:
    """Several texts of one round length, none longer, are told as cut; other logs are not."""
    capped = [f"{i:05d} {'x' * 2000}"[:1024] for i in range(3)]

    assert "exactly 1024 characters" in notes_on(*capped)
    assert "cut" not in notes_on(*capped[:2])
    assert "cut" not in notes_on(*capped, "y" * 1025)
    assert "cut" not in notes_on(*(c[:1000] + "tail" for c in capped), "and so on ...")


@pytest.mark.parametrize(
    "ending",
    [
        "...[truncated]",
        "... [TRUNCATED]\n",
        " (truncated)",
        "<truncated 512 bytes>",
        "[1,204 more characters]",
        "… truncated",
        "... +512 chars",
        "[...]",
        "[output truncated at 200 characters]",
    ],
)
def test_a_cut_mark_is_noted_at_any_length(ending: str) -> None:
    """One text that ends in a mark is told, however short it is."""
    assert "1 text ends with a mark as if cut" in notes_on("x" * 200 + ending, "short")
    assert "1 text ends with a mark as if cut" in notes_on(f"Hi {ending}")
    assert "cut" not in notes_on(f"What does {ending} at the end of a line mean?")


@pytest.mark.parametrize(
    "text", ["My message was truncated", "I like it (more or less)", "see [1]", "more tokens", "[cutting board]"]
)
def test_ordinary_ends_are_no_cut_marks(text: str) -> None:
    """Words about cutting are no mark."""
    assert "cut" not in notes_on(text)


@pytest.mark.parametrize("dots", ["...", "…"])
def test_dots_are_noted_where_texts_stop_at_one_length_or_are_long(dots: str) -> None:
    """Three texts of one length, none longer, or three long ones that end in dots are cut; chat that trails off is not."""
    stopped = [f"{i} {'word ' * 40}"[:100] + dots for i in range(3)]
    long = [f"{i} {'word ' * (80 + i)}" + dots for i in range(3)]

    assert "3 different texts end with dots as if cut" in notes_on(*stopped, "hello")
    assert "3 different texts end with dots as if cut" in notes_on(*long, "hello")
    assert "cut" not in notes_on(*stopped[:2])
    assert "cut" not in notes_on(*stopped, "y" * 120)
    assert "cut" not in notes_on(*(f"hm {i}{dots}" for i in range(9)))
    assert "cut" not in notes_on(*long, *(f"{i} {'word ' * 80}." for i in range(40)))


@pytest.mark.parametrize(
    "text",
    [
        "a" * 1024 + "..." + "b" * 1024,
        "a" * 1024 + " ... " + "b" * 1024,
        "a" * 716 + "... (litellm_truncated skipped 12 chars) ..." + "b" * 1332,
        "a" * 20 + "... (litellm_truncated 12982 chars)",
    ],
)
def test_a_text_that_was_cut_inside_is_noted(text: str) -> None:
    """One text whose middle was left out, as SGLang and LiteLLM do it, is told; dots elsewhere are not."""
    assert "1 text has a mark inside as if cut" in notes_on(text, "short")
    assert "cut" not in notes_on("a" * 1000 + "..." + "b" * 1048)
    assert "cut" not in notes_on("What is litellm_truncated?")


@pytest.mark.parametrize(
    "mark",
    [
        "...[TRUNCATED 2000 characters]...",
        "<truncated 5000 chars>",
        "[... 12,345 tokens truncated ...]",
        "(3000 more characters omitted)",
        "{Omitted: 17 lines}",
    ],
)
def test_a_mark_that_tells_how_much_was_cut_inside_is_noted(mark: str) -> None:
    """Such a mark is told wherever it stands in a long text; in the result of a tool it is the application's own."""
    text = f"{'start ' * 50}{mark}{' end' * 50}"
    result = Message("tool", text)

    assert "1 text has a mark inside as if cut" in notes_on(text, "short")
    assert "cut" not in notes_on(f"What does {mark} mean?")
    assert "cut" not in " ".join(name_gaps([Request(0, messages=(Message("user", "Hi"), result))]))


@pytest.mark.parametrize("words", ["(the list was truncated)", "[2 lines]", "a truncated 5000 chars text", "<omitted>"])
def test_words_about_cutting_are_no_mark_inside(words: str) -> None:
    """A mark stands in brackets and tells an amount."""
    assert "cut" not in notes_on(f"{'start ' * 50}{words}{' end' * 50}")


def test_rendered_prompts_of_one_round_length_are_noted() -> None:
    """Whole prompts end with the same words: several of one round length, none longer, were cut, at any round length."""
    whole = [Request(i, rendered=f"<s>{'word ' * (20 + i)}</s>") for i in range(3)]
    cut = [Request(i, rendered=f"<s>{i}{'word ' * 99}"[:100]) for i in range(3)]

    assert "exactly 100 characters" in " ".join(name_gaps(cut))
    assert "cut" not in " ".join(name_gaps(whole))
    assert "cut" not in " ".join(name_gaps([*cut, *whole, Request(9, rendered="x" * 101)]))


def test_only_what_is_laid_out_can_lack_tools_or_a_system_message() -> None:
    """Rendered prompts, block ids and reported usage alone are not accused of lacking what they cannot show."""
    assert name_gaps([Request(0, rendered="<s>Hi</s>"), Request(1, block_ids=b"\1\0\0\0"), Request(2)]) == ()


def test_sessions_that_start_late_are_noted() -> None:
    """A session whose first request holds an answer already, and ids that repeat, are told."""
    late = asking(0, session="s", messages=chat("a", "b"))

    assert any("In 1 of 2 sessions the first request already carries an answer" in n for n in notes(late, asking(1, session="t")))
    assert not any("already carries" in n for n in notes(asking(1, session="s"), late))
    assert any("Ids repeat (1 different in 2 records)" in n for n in notes(late, late))


def test_without_sessions_an_answer_needs_its_question_in_the_log() -> None:
    """An answer to what no earlier request asked means that the log starts in the middle or is a sample: lower bounds."""
    one, two, three = chat("a"), chat("a", "A", "b"), chat("a", "A", "b", "B", "c")

    assert late_starts(one, two, three) == []
    assert late_starts(two, three) == ["1 of 2 requests"]
    assert late_starts(one, three) == ["1 of 2 requests"]
    assert late_starts(two, one) == ["1 of 2 requests"]


def test_edited_histories_do_not_look_like_a_late_start() -> None:
    """A clock in the system text, a window that slides, notes and labels left out of history, and greetings are no gaps."""
    clocked = [chat("a", system="08:01"), chat("a", "A", "b", system="08:02")]
    slid = [chat("a"), chat("a", "A", "b"), chat("b", "B", "c")]
    dropped = [chat("Notes: x\n\nQuestion: a"), chat("a", "A", "Notes: y\n\nQuestion: b")]
    greeted = [[{"role": "assistant", "content": "Hello!"}, {"role": "user", "content": "a"}]]

    assert [late_starts(*log) for log in (clocked, slid, dropped, greeted)] == [[], [], [], []]


def test_fixed_examples_are_no_late_start() -> None:
    """An answer that many requests carry and go on from differently is an example, not a conversation."""
    assert late_starts(*(chat("2+2", "4", question) for question in ("1+1", "3+3", "5+5"))) == []
    assert late_starts(*(chat("2+2", "4", question) for question in ("1+1", "3+3"))) == ["2 of 2 requests"]
