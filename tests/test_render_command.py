"""``radixlint render`` shows prompts laid flat, and executes nothing."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from rich.cells import cell_len

from radixlint.cli import output
from radixlint.cli.command_group import cli
from radixlint.errors import RadixlintError
from radixlint.reports import TextStyle
from radixlint.reports._prompt_strip import BREAK
from radixlint.tokenizers import open_tokenizer

TEMPLATE = (
    "You greet guests of the house.\n{% include 'part.j2' %}\n{% if vip %}\nA long word of welcome for our guests of honour.\n"
    "{% else %}\nHello.\n{% endif %}\n{% for d in documents %}\n- {{ d }}\n{% endfor %}\nIt is {{ now() }} here.\n"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a template and what it includes, and go there."""
    (tmp_path / "main.j2").write_text(TEMPLATE, encoding="utf-8")
    (tmp_path / "part.j2").write_text("Speak softly to {{ user_id }}.", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str, text: str | None = None) -> Result:
    """Run the command."""
    return CliRunner().invoke(cli, ["render", *arguments, "--isolated"], input=text, standalone_mode=False)


def document(*arguments: str, text: str | None = None) -> Any:
    """Return its JSON."""
    return json.loads(run(*arguments, "--format", "json", text=text).stdout)


def test_parts_stand_in_wire_order_with_their_places(folder: Path) -> None:
    """Texts and values follow one another as they are sent; an included one has the include's place, and its own beside it."""
    parts = document("main.j2")["prompts"][0]["parts"]
    values = [(part["text"], part["path"], part["line"], part["lifetime"]) for part in parts if part["kind"] == "value"]

    assert values == [
        ("{{ user_id }}", "main.j2", 2, "user"),
        ("{{ d }}", "main.j2", 9, "turn"),
        ("{{ now() }}", "main.j2", 11, "call"),
    ]
    assert [span["path"] for part in parts for span in part["related"]] == ["part.j2"] * 3
    assert all(part["tokens"] is None for part in parts if part["kind"] == "value")


def test_the_running_sum_goes_on_with_the_longest_branch(folder: Path) -> None:
    """It never falls but at the start of a shorter branch, and ends at the tokens of the prompt; each text has its own count."""
    (prompt,) = document("main.j2")["prompts"]
    count = open_tokenizer("o200k_base").count
    texts = [part for part in prompt["parts"] if part["kind"] == "text"]
    sums = {part["text"].strip(): part["running_tokens"] for part in texts}

    assert [part["tokens"] for part in texts] == [count(part["text"]) for part in texts]
    assert sums["Hello."] < sums["A long word of welcome for our guests of honour."]
    assert texts[-1]["running_tokens"] == prompt["tokens"]
    assert prompt["tokens"] == sum(part["tokens"] for part in texts) - count("\nHello.\n")


def test_the_prefix_ends_for_more_and_more_requests(folder: Path) -> None:
    """Each end is of a shorter life than the one before, at the first part that lives so short."""
    (prompt,) = document("main.j2")["prompts"]
    ends = [(end["lifetime"], prompt["parts"][end["part"]]["text"].strip()) for end in prompt["prefix_ends"]]

    assert ends[0] == ("user", "{{ user_id }}")
    assert ends[-1] == ("call", "{{ now() }}")
    assert [life for life, _ in ends] == ["user", "turn", "call"]


@pytest.mark.parametrize("width", [80, 120])
def test_text_fits_the_width_and_holds_every_part(folder: Path, monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    """No line is too wide; every word of the prompt is there, and loops, branches, includes and ends are named."""
    (folder / "main.j2").write_text("Words upon words. " * 30 + "港の受付です。" * 40 + "\n" + TEMPLATE, encoding="utf-8")
    monkeypatch.setattr(output, "terminal_style", lambda: TextStyle(width, False))
    text = run("main.j2").stdout

    assert [line for line in text.splitlines() if cell_len(line) > width] == []
    assert len(re.findall("Words", text)) == 30
    assert text.count("港") == 40
    for words in (
        "if vip",
        "or, branch 2: ",
        "loop over documents",
        "from part.j2:1:1",
        "back in main.j2:",
        "A long word of welcome",
    ):
        assert words in text
    assert f"{BREAK} the prefix ends here for another user" in text


def test_several_prompts_roles_and_marks_are_shown() -> None:
    """A body with tools, roles and cache marks has headings for each message and a line for each mark."""
    body = {
        "model": "claude-sonnet-4-5",
        "max_tokens": 10,
        "system": [{"type": "text", "text": "You know boats.", "cache_control": {"type": "ephemeral"}}],
        "messages": [{"role": "user", "content": "Is it high?"}],
    }
    text = run("-", "--stdin-filename", "body.json", text=json.dumps(body)).stdout

    assert "── system " in text
    assert "── user " in text
    assert text.index("You know boats.") < text.index("▲ cache mark") < text.index("Is it high?")


def test_what_a_process_draws_once_is_no_value_of_a_day() -> None:
    """The value and the end of the prefix are told by what keeps them."""
    code = (
        "from agents import Agent\nfrom datetime import datetime\nA = Agent(instructions=f'{datetime.now()} You know boats.')\n"
    )
    text = run("-", "--stdin-filename", "desk.py", text=code).stdout

    assert "the prefix ends here in another process" in text
    assert "^ process, clock" in text


def test_nothing_is_executed_and_controls_are_escaped() -> None:
    """An expression that would take for ever stands as it is written; a control character in the text is an escape."""
    text = run("-", text="A fixed line \x1b[31m here.\n{{ 9**(9**9) }}\n").stdout

    assert "{{ 9**(9**9) }}" in text
    assert "\\x1b[31m" in text
    assert "\x1b" not in text


@pytest.mark.parametrize(
    ("name", "words"),
    [("none.j2", "no such file"), (".", "is a folder"), ("bad.j2", "does not parse"), ("x.bin", "not a prompt")],
)
def test_what_cannot_be_rendered_is_one_line(folder: Path, name: str, words: str) -> None:
    """A missing file, a folder, a file that does not parse and one of no known format are refused with the reason."""
    (folder / "bad.j2").write_text("{{ x", encoding="utf-8")
    (folder / "x.bin").write_text("x", encoding="utf-8")
    result = run(name)

    assert isinstance(result.exception, RadixlintError)
    assert words in str(result.exception)


def test_the_shown_sums_add_up_to_the_tokens_of_check(folder: Path) -> None:
    """The last figure in the margin is the number of tokens in the head, blank text is shown, and check says the same number."""
    (folder / "main.j2").write_text(
        f"{'Be kind to all guests. ' * 8}\n{{{{ now() }}}}\n{{{{ a }}}}\n\n{'More rules. ' * 20}\n{{{{ q }}}}\n"
    )
    text = run("main.j2").stdout
    total = re.search(r"jinja-template, (\d+) tokens", text)
    split = re.search(r"(\d+) of (\d+) tokens behind the break, (\d+) in front(?:, (\d+) not shared)?", text)
    checked = CliRunner().invoke(cli, ["check", "--isolated", "main.j2"], standalone_mode=False).output

    assert total is not None
    assert split is not None
    assert sum(int(number or 0) for number in split.group(1, 3, 4)) == int(split[2]) == int(total[1])
    assert re.findall(r"^\S +(\d+) │", text, re.MULTILINE)[-1] == total[1]
    assert "│ ↵" in text
    assert f"{split[1]} of {split[2]} tokens" in checked
