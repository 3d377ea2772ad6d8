"""Python files say in which encoding they are: places and bytes stay exact in any that keeps ASCII."""

from __future__ import annotations

from pathlib import Path

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.api.fixing import fix_paths
from radixlint.config import Settings
from radixlint.files.source_encoding import encoding_of

LETTERS = {"latin-1": "é", "cp1252": "€", "shift_jis": "語", "gbk": "语", "koi8-r": "я", "euc_kr": "한"}
CODE = """# -*- coding: {encoding} -*-
from openai import OpenAI

client = OpenAI()
TAGS = {{"{letter}", "b", "c"}}


def ask(question):
    x = "{letter}{letter}"; return client.chat.completions.create(
        model="gpt-4.1",
        messages=[
            {{"role": "system", "content": "{letter}{letter} " + ", ".join(TAGS) + "{rules}"}},
            {{"role": "user", "content": question}},
        ],
    )
"""


def _written(folder: Path, encoding: str) -> str:
    text = CODE.format(encoding=encoding, letter=LETTERS[encoding], rules=" Answer in one sentence and name your source." * 30)
    (folder / "a.py").write_bytes(text.encode(encoding))
    return text


@pytest.mark.parametrize("encoding", LETTERS)
def test_places_are_exact_in_the_declared_encoding(tmp_path: Path, encoding: str) -> None:
    """The file is no fault, and the finding stands at the code point where an editor shows it."""
    text = _written(tmp_path, encoding)

    (found,) = check_paths(CheckOptions(("a.py",), Settings(), tmp_path)).findings

    line = text.split("\n")[found.span.line - 1]
    assert (found.rule, line[found.span.column - 1 : found.span.end_column - 1]) == ("RL302", '", ".join(TAGS)')


@pytest.mark.parametrize("encoding", LETTERS)
def test_a_fix_keeps_the_encoding(tmp_path: Path, encoding: str) -> None:
    """Bytes outside of the edit stay as they are."""
    text = _written(tmp_path, encoding)

    fix_paths(CheckOptions(("a.py",), Settings(), tmp_path), with_unsafe=False, is_dry=False)

    assert (tmp_path / "a.py").read_bytes() == text.replace("join(TAGS)", "join(sorted(TAGS))").encode(encoding)


@pytest.mark.parametrize(
    ("data", "name", "encoding"),
    [
        (b"# coding: latin-1\nx = '\xe9'\n", "a.py", "iso8859-1"),
        (b"#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\nx = '\xe9'\n", "a.PY", "cp1252"),
        (b"\r\n# coding: latin-1\r\nx = '\xe9'\r\n", "a.py", "iso8859-1"),
        (b"# coding: latin-1\nx = '\xc3\xa9'\n", "a.py", "utf-8"),
        (b"# coding: latin-1\nx = '\xe9'\n", "a.j2", "utf-8"),
        (b"x = 1\n# coding: latin-1\nx = '\xe9'\n", "a.py", "utf-8"),
        (b"\n\n# coding: latin-1\nx = '\xe9'\n", "a.py", "utf-8"),
        (b"\xef\xbb\xbf# coding: latin-1\nx = '\xe9'\n", "a.py", "utf-8"),
        (b"# coding: ascii\nx = '\xe9'\n", "a.py", "utf-8"),
        (b"# coding: punycode\nx = '\xe9'\n", "a.py", "utf-8"),
        (b"# coding: unicode_escape\nx = '\xe9'\n", "a.py", "utf-8"),
        (b"# coding: none-such\nx = '\xe9'\n", "a.py", "utf-8"),
        (b"# coding: " + b"x" * 5000 + b"\nx = '\xe9'\n", "a.py", "utf-8"),
    ],
)
def test_only_the_first_two_lines_of_python_declare(data: bytes, name: str, encoding: str) -> None:
    """A declaration counts where Python looks for it, if it names a plain encoding, and only for what is not UTF-8."""
    assert encoding_of(data, name) == encoding
