"""The items of requests and their pieces."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from collections.abc import Sequence

import made_logs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from radixlint.layout import Layout, layout_names, open_layout
from radixlint.pieces import PROMPT_ROLE, TOOL_ROLE, Item, Piece, PieceBook, PieceKind
from radixlint.pieces.line_pieces import LONGEST_PIECE_CHARACTERS, LineKeys, cut_line, piece_key
from radixlint.traffic import Message, Request, ToolCall
from radixlint.written_forms import line_form

SYSTEM = Message("system", "Be kind.\nBe brief.\n\nBe right.")
CALLS = Message("assistant", "I look.", (ToolCall("find", '{"a": 1}', "c1"), ToolCall("find", '{"a": 2}', "c2")))
MESSAGES = (SYSTEM, Message("user", "Hi"), CALLS, Message("tool", "1\n2\n"), Message("Mallory", "Hm"))
TOOLS = ('{"name":"find"}', '{"name":"send"}')


def book_of(*requests: Request, layout: Layout | None = None, prompt_tokens: Sequence[int] = ()) -> PieceBook:
    """Return the book of ``requests``, each of 100 tokens if nothing else is said."""
    return PieceBook(requests, layout or open_layout(), prompt_tokens or [100] * len(requests))


def formed(item: Item, piece: Piece) -> str:
    """Return the text that a piece is known by."""
    text = item.piece_text(piece)
    return line_form(text) + "\n" * text.endswith("\n") if piece.kind is PieceKind.LINE else text


def test_lines_of_the_same_words_have_one_key() -> None:
    """A text with other line ends, quotes and blanks has the keys of the plain one; only it is told as odd."""
    plain = "Say 'yes' - now.\nBe kind.\n    Code"
    odd = "Say \u2018yes\u2019 \u2013 now. \r\nBe\u00a0kind.\r\n\tCode"
    book = book_of(*(Request(i, messages=(Message("system", text),)) for i, text in enumerate((plain, odd, plain + "s"))))

    assert list(book.keys(0)) == list(book.keys(1)) != list(book.keys(2))
    assert [book.is_odd(number) for number in range(3)] == [False, True, False]


def test_items_stand_in_wire_order() -> None:
    """Tools stand where the layout puts them, and a layout that prints none has none."""
    request = Request(0, tools=TOOLS, messages=MESSAGES)
    orders = {name: [i.role for i in book_of(request, layout=open_layout(name)).items(0)] for name in layout_names()}
    roles = [message.role for message in MESSAGES]

    assert orders["tools-first"] == orders["raw"] == [TOOL_ROLE, TOOL_ROLE, *roles]
    assert orders["system-first"] == ["system", TOOL_ROLE, TOOL_ROLE, *roles[1:]]
    assert orders["messages-only"] == roles


def test_places_name_tools_lines_and_calls() -> None:
    """Places count tools and messages from 0 and lines and calls from 1; an unknown role is not repeated."""
    book = book_of(Request(0, tools=TOOLS, messages=MESSAGES), layout=open_layout("system-first"))
    places = [[book.place(0, i, k) for k in range(len(item.pieces))] for i, item in enumerate(book.items(0))]

    assert places[0] == [f"messages[0] system line {line}" for line in (1, 2, 3, 4)]
    assert places[1:3] == [["tools[0]"], ["tools[1]"]]
    assert places[4] == ["messages[2] assistant line 1", "messages[2] assistant call 1", "messages[2] assistant call 2"]
    assert places[6] == ["messages[4] other role line 1"]


def test_behind_the_last_piece_is_the_place_of_the_last() -> None:
    """A text that ends where another goes on is named by its last line."""
    book = book_of(Request(0, messages=(SYSTEM,)))
    count = len(book.items(0)[0].pieces)

    assert book.place(0, 0, count) == book.place(0, 0, count - 1) == "messages[0] system line 4"


def test_a_line_in_several_pieces_keeps_its_number() -> None:
    """Places count lines, not the pieces of a long one."""
    text = "Short.\n" + "A word and more words. " * 200 + "\nLast."
    book = book_of(Request(0, messages=(Message("user", text),)))
    count = len(book.items(0)[0].pieces)

    assert count > 3
    assert [book.place(0, 0, i) for i in (0, 1, count - 2)] == [f"messages[0] user line {line}" for line in (1, 2, 2)]
    assert book.place(0, 0, count - 1) == "messages[0] user line 3"


def test_a_rendered_prompt_is_one_item_and_ids_are_none() -> None:
    """Rendered text has its lines; token ids and block ids cannot be cut."""
    book = book_of(Request(0, rendered="a\nb"), Request(1, token_ids=b"\0" * 8), Request(2, block_ids=b"\0" * 4), Request(3))

    assert [(item.role, item.text, len(item.pieces)) for item in book.items(0)] == [(PROMPT_ROLE, "a\nb", 2)]
    assert book.place(0, 0, 1) == "prompt line 2"
    assert [len(book.items(i)) for i in (1, 2, 3)] == [0, 0, 0]


def test_equal_items_have_one_number() -> None:
    """Tools and messages that are equal are one item, whether they are one object or not."""
    again = Message("system", "".join(["Be kind.\nBe ", "brief.\n\nBe right."]))
    book = book_of(Request(0, tools=TOOLS, messages=(SYSTEM,)), Request(1, tools=TOOLS[::-1], messages=(again,)))

    assert list(book.numbers(0)) == [0, 1, 2]
    assert list(book.numbers(1)) == [1, 0, 2]
    assert book.items(0)[2].pieces == book.items(1)[2].pieces
    assert len(book) == 3


def test_roles_keep_equal_texts_apart() -> None:
    """A rendered prompt, a tool and messages of two roles are four items, though all say the same."""
    book = book_of(Request(0, tools=("x",), messages=(Message("user", "x"), Message("system", "x"))), Request(1, rendered="x"))

    turned = book_of(Request(0, rendered="x"), Request(1, tools=("x",)), Request(2, rendered="x"))

    assert [*book.numbers(0), *book.numbers(1)] == [0, 1, 2, 3]
    assert [*turned.numbers(0), *turned.numbers(1), *turned.numbers(2)] == [0, 1, 0]


class Counted(Struct):
    """A kept text that counts how often it is read."""

    value: str
    reads: int = 0

    def text(self) -> str:
        self.reads += 1
        return self.value


def test_each_kept_text_is_read_as_often_as_it_is_distinct() -> None:
    """Texts that are decoded on demand are read when first met, twice at most, not once for each request."""
    kept = Counted("a line\n" * 20)
    message = Message("user", kept)
    book_of(*[Request(i, messages=(message,)) for i in range(50)])

    assert kept.reads <= 2


@given(st.lists(st.text(alphabet="ab .\n\r\u2028\u3002\ud800", max_size=30), max_size=8), st.integers(0, 4))
def test_pieces_add_up(texts: list[str], calls: int) -> None:
    """The pieces of an item, joined, are its text, each by its key; their tokens add up to the item's, all but its calls."""
    made = tuple(ToolCall("f", str(i)) for i in range(calls))
    request = Request(0, messages=tuple(Message("user", text * (1 + i * 40), made) for i, text in enumerate(texts)))
    book = book_of(request, prompt_tokens=[1_000])

    for item in book.items(0):
        lines = [piece for piece in item.pieces if piece.kind is PieceKind.LINE]
        assert "".join(item.piece_text(piece) for piece in lines) == item.text
        assert sum(piece.tokens for piece in item.pieces) == item.tokens
        assert all(piece.key == piece_key(piece.kind, formed(item, piece)) for piece in item.pieces)
        assert [item.piece_text(piece) for piece in item.pieces[len(lines) :]] == [f"f {i}" for i in range(calls)]


@given(st.text(alphabet="ab .!\u3002", max_size=60), st.integers(1, 400))
def test_long_lines_are_cut(text: str, times: int) -> None:
    """No piece is longer than 2,000 characters or empty, and joined they are the line."""
    line = text * times
    pieces = cut_line(line)

    assert "".join(pieces) == line
    assert all(0 < len(piece) <= LONGEST_PIECE_CHARACTERS for piece in pieces) or line == ""


def test_a_change_in_a_long_line_leaves_its_other_sentences() -> None:
    """Sentences of a long line are pieces of their own, so all but the changed one keep their keys."""
    sentences = [f"This is sentence {i} of a long line. " for i in range(100)]
    keys = LineKeys()
    before, after = (keys.cut("".join([first, *sentences])).keys for first in ("It is 10:00. ", "Now it is 11:00. "))

    assert before[1:] == after[1:]
    assert before[0] != after[0]


def test_a_change_in_a_line_of_instructions_leaves_its_other_sentences() -> None:
    """In instructions a line of some sentences is cut already, in questions only where there are no instructions."""
    line = "It is {}. " + " ".join(f"Sentence {i} of the paragraph." for i in range(20))

    def shared(*roles: str) -> int:
        messages = [tuple(Message(role, line.format(hour)) for role in roles) for hour in (10, 11)]
        book = book_of(*(Request(i, messages=one) for i, one in enumerate(messages)))
        before, after = (book.keys(book.numbers(position)[-1]) for position in (0, 1))
        return len(set(before) & set(after))

    assert shared("system") == shared("developer") == shared("user") == 20
    assert shared("system", "user") == 0


def test_tools_and_calls_equal_as_json_have_one_key() -> None:
    """Other order of keys and other blanks give the same key, another value another, and what is no JSON counts as it is."""

    def keys(tool: str, arguments: str) -> list[int]:
        book = book_of(Request(0, tools=(tool,), messages=(Message("assistant", "", (ToolCall("f", arguments),)),)))
        return [piece.key for item in book.items(0) for piece in item.pieces]

    assert keys('{"a":1,"b":[2]}', '{"c":1,"d":{}}') == keys('{"b": [2], "a": 1}', '{"d":{},"c":1}')
    assert not set(keys('{"a":1}', '{"c":1}')) & set(keys('{"a":2}', '{"c":2}')) - set(keys("{}", "{}"))
    assert keys("{a", "{c")[0] != keys("{ a", "{c")[0]


def test_many_lines_are_known_whatever_was_forgotten() -> None:
    """Keys stay the same when the memo of lines overflows."""
    keys = LineKeys()
    lines = [f"{i:06d} {'x' * 1_900}" for i in range(6_000)]
    found = keys.cut("\n".join(lines)).keys

    assert keys.cut("\n".join(lines[:10]) + "\n").keys == found[:10]


def test_lengths_are_shares_of_the_prompts() -> None:
    """Over a log the items' lengths add up to the prompts', but for rounding."""
    requests = made_logs.agent(30, 1)
    sizes = [1_000 + 50 * i for i in range(30)]
    book = book_of(*requests, prompt_tokens=sizes)
    items = [item for i in range(30) for item in book.items(i)]

    assert sum(sizes) - len(items) <= sum(item.tokens for item in items) <= sum(sizes)


def test_keys_do_not_depend_on_the_process() -> None:
    """Keys are equal under another hash seed."""
    code = "from radixlint.pieces.line_pieces import *; print(LineKeys().cut('a\\nb').keys)"
    runs = [
        subprocess.run([sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True).stdout
        for seed in ("1", "2")
    ]

    assert runs[0] == runs[1] == f"{LineKeys().cut('a' + chr(10) + 'b').keys}\n".encode()


def test_many_messages_take_little_memory() -> None:
    """A message of 20 lines costs less than 1 kB beside its text, also once its pieces were asked for."""
    count = 20_000
    texts = ["\n".join(f"{i} and line {line} of a message" for line in range(20)) for i in range(count)]
    requests = [Request(i, messages=(Message("user", text),)) for i, text in enumerate(texts)]
    book_of(*requests[:2])
    tracemalloc.start()
    try:
        book = book_of(*requests)
        pieces = sum(len(book.items(i)[0].pieces) for i in range(count))
        used_bytes = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()

    assert pieces == 20 * count
    # Of both memos, which do not grow with the log, the rest is what a message costs.
    memo_bytes = 20 << 20
    assert used_bytes - memo_bytes < 1_000 * count


def test_pieces_of_any_length_have_their_tokens() -> None:
    """A tool and a call longer than 65,535 characters count in full, in the item and in its pieces."""
    call = ToolCall("write", "x" * 300_000)
    messages = (Message("assistant", "Now.", (call,)), Message("assistant", "Then.", (call,)))
    book = book_of(Request(0, tools=("y" * 100_000,), messages=messages), prompt_tokens=[175_000])
    tool, first, second = book.items(0)

    assert [len(item.pieces) for item in (tool, first, second)] == [1, 2, 2]
    assert abs(first.pieces[1].tokens - 3 * tool.tokens) <= 10
    assert list(book.repeated(first.number)[1]) == list(book.piece_tokens(first.number)) == [p.tokens for p in first.pieces]


def test_numbers_go_on_over_many_items() -> None:
    """Items are numbered by first appearance, equal ones as one, however many stand between their occurrences."""
    texts = [f"text {i % 20_000}" for i in range(45_000)]
    book = book_of(*[Request(i, messages=(SYSTEM, Message("user", text))) for i, text in enumerate(texts)])

    assert all(list(book.numbers(i)) == [0, 1 + i % 20_000] for i in range(len(texts)))
    assert len(book) == 20_001


def test_empty_logs_have_no_items() -> None:
    """A log without requests, or of empty messages, is no special case."""
    assert len(book_of()) == 0
    empty = book_of(Request(0, messages=(Message("user", ""),)), prompt_tokens=[0])
    assert [(piece.start, piece.end) for piece in empty.items(0)[0].pieces] == [(0, 0)]


@pytest.mark.parametrize("name", layout_names())
def test_layouts_leave_the_pieces_as_they_are(name: str) -> None:
    """The wire order moves items and leaves their pieces alone."""
    request = Request(0, tools=TOOLS, messages=MESSAGES)
    plain = {(i.role, i.text): [p.key for p in i.pieces] for i in book_of(request).items(0)}
    other = {(i.role, i.text): [p.key for p in i.pieces] for i in book_of(request, layout=open_layout(name)).items(0)}

    assert other.items() <= plain.items()
