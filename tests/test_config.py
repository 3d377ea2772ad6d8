"""Settings: found nearest, never merged, and every mistake named with file, line and the nearest right word."""

from __future__ import annotations

from pathlib import Path

import pytest

from radixlint.config import Settings, load_settings
from radixlint.errors import ConfigError
from radixlint.prompt import Lifetime
from radixlint.result.finding import Severity
from radixlint.spelling import nearest


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def _refusal(folder: Path, text: str) -> str:
    _write(folder / "radixlint.toml", text)
    with pytest.raises(ConfigError) as caught:
        load_settings(folder)
    return str(caught.value)


def test_every_key_is_read(tmp_path: Path) -> None:
    """All six keys of [tool.radixlint] reach the settings, with the folder the globs are relative to."""
    _write(
        tmp_path / "pyproject.toml",
        '[project]\nname = "x"\n[tool.radixlint]\nselect = ["RL1"]\nignore = ["RL104"]\nexclude = ["old/**"]\n'
        'fail-on = "error"\ntokenizer = "cl100k_base"\n[tool.radixlint.variables]\ncustomer = "tenant"\nuser.plan = "release"\n',
    )

    settings = load_settings(tmp_path)

    assert (settings.select, settings.ignore, settings.exclude) == (("RL1",), ("RL104",), ("old/**",))
    assert (settings.fail_on, settings.tokenizer) == (Severity.ERROR, "cl100k_base")
    assert dict(settings.variables) == {"customer": Lifetime.TENANT, "user.plan": Lifetime.RELEASE}
    assert (settings.source, settings.root) == ("pyproject.toml", tmp_path)


def test_nearest_file_wins_and_files_are_not_merged(tmp_path: Path) -> None:
    """A config file in the start folder hides those above it, also their keys."""
    _write(tmp_path / "radixlint.toml", 'ignore = ["RL104"]\n')
    _write(tmp_path / "a" / "b" / ".radixlint.toml", 'select = ["RL2"]\n')

    settings = load_settings(tmp_path / "a" / "b")

    assert settings.select == ("RL2",)
    assert settings.ignore == ()


def test_search_goes_up_and_passes_over_other_pyprojects(tmp_path: Path) -> None:
    """A pyproject.toml without our table, even a broken one, does not end the search."""
    _write(tmp_path / "radixlint.toml", 'fail-on = "error"\n')
    _write(tmp_path / "a" / "pyproject.toml", "[tool.other]\n")
    _write(tmp_path / "a" / "b" / "pyproject.toml", "= broken")

    assert load_settings(tmp_path / "a" / "b").fail_on is Severity.ERROR


def test_own_file_wins_over_pyproject_in_one_folder(tmp_path: Path) -> None:
    """radixlint.toml hides .radixlint.toml and [tool.radixlint] beside it."""
    _write(tmp_path / "radixlint.toml", 'select = ["RL1"]\n')
    _write(tmp_path / ".radixlint.toml", 'select = ["RL2"]\n')
    _write(tmp_path / "pyproject.toml", '[tool.radixlint]\nselect = ["RL3"]\n')

    assert load_settings(tmp_path).select == ("RL1",)


def test_isolated_reads_nothing(tmp_path: Path) -> None:
    """With is_isolated even a broken file in the start folder has no effect."""
    _write(tmp_path / "radixlint.toml", "= broken")

    assert load_settings(tmp_path, is_isolated=True) == Settings()


def test_given_file_is_the_only_one_read(tmp_path: Path) -> None:
    """--config wins over the file in the start folder; a file that lacks the table, or does not exist, is refused."""
    _write(tmp_path / "radixlint.toml", 'select = ["RL1"]\n')
    other = _write(tmp_path / "conf" / "mine.toml", 'select = ["RL2"]\n')
    empty = _write(tmp_path / "conf" / "pyproject.toml", "[project]\n")

    tool = _write(tmp_path / "conf" / "all-tools.toml", '[tool.radixlint]\nselect = ["RL3"]\n')

    assert load_settings(tmp_path, other).select == ("RL2",)
    assert load_settings(tmp_path, tool).select == ("RL3",)
    with pytest.raises(ConfigError, match=r"no \[tool.radixlint\] table"):
        load_settings(tmp_path, empty)
    with pytest.raises(ConfigError, match="no such file"):
        load_settings(tmp_path, tmp_path / "absent.toml")
    with pytest.raises(ConfigError, match="not a regular file"):
        load_settings(tmp_path, tmp_path)


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ('\nignor = ["RL1"]\n', "radixlint.toml:2", ["'ignor'", "did you mean ignore?"]),
        ('zzz = 1\n', "radixlint.toml:1", ["'zzz'", "known keys: extend, select"]),
        ('select = "RL1"\n', "radixlint.toml:1", ["select must be a list of strings, not a string", 'write select = ["RL2"]']),
        ("\n\nexclude = [1]\n", "radixlint.toml:3", ["exclude must be a list of strings"]),
        ('fail-on = "warn"\n', "radixlint.toml:1", ["error, warning", "did you mean warning?"]),
        ("tokenizer = 3\n", "radixlint.toml:1", ["tokenizer must be a string, not an integer"]),
        ('variables = "x"\n', "radixlint.toml:1", ["variables must be a table, not a string"]),
        ('[variables]\na = "static"\nb = "tenent"\n', "radixlint.toml:3", ["'tenent'", "variable b", "did you mean tenant?"]),
        ('[variables]\nuser.name = "q"\n', "radixlint.toml:2", ["variable user.name", "one of static, release, day, tenant"]),
        ('[variables]\na = true\n', "radixlint.toml:2", ["variables.a must be a string, not a boolean"]),
        ('variables = {a = "zzzz"}\n', "radixlint.toml:1", ["variable a"]),
        ('select = ["a"\nx', "radixlint.toml:2:1", ["not valid TOML"]),
    ],
)  # fmt: skip
def test_mistakes_name_file_line_key_and_remedy(tmp_path: Path, text: str, place: str, words: list[str]) -> None:
    """An unknown key, wrong type or unknown word is one line that begins with the place."""
    message = _refusal(tmp_path, text)

    assert message.startswith(f"{place}: ")
    assert [word for word in words if word not in message] == []
    assert "\n" not in message


def test_all_mistakes_of_a_file_are_told(tmp_path: Path) -> None:
    """Unknown keys, wrong values and entries of a table are told in one go, by line, each with its own."""
    text = 'ignor = ["a"]\nfail-on = "never"\nselect = ["RL9999"]\nzzz = 1\n[variables]\na = "tenent"\nb = 3\nc = "user"\n'
    path = _write(tmp_path / "radixlint.toml", text)
    with pytest.raises(ConfigError) as caught:
        load_settings(tmp_path, path, selector_fault=lambda word: ConfigError(f"no rule {word}"))
    told = [str(error).removeprefix(str(path)) for error in (caught.value, *caught.value.others)]

    assert [line.split(": ")[0] for line in told] == [":1", ":2", ":3", ":4", ":6", ":7"]
    assert told[2] == ":3: no rule RL9999"


def test_line_is_found_inside_pyproject(tmp_path: Path) -> None:
    """The line of a key is that of our table, not of an equal key in another table."""
    _write(tmp_path / "pyproject.toml", '[tool.other]\nselekt = 1\n\n[tool.radixlint]\nselekt = ["RL1"]\n')

    with pytest.raises(ConfigError, match=r"^pyproject.toml:5: unknown key 'selekt' \(did you mean select\?\)$"):
        load_settings(tmp_path)


def test_unreadable_bytes_are_refused(tmp_path: Path) -> None:
    """A config file that is not UTF-8, or nested without end, is refused in one line."""
    (tmp_path / "radixlint.toml").write_bytes(b'select = ["\xff"]')
    with pytest.raises(ConfigError, match="not UTF-8"):
        load_settings(tmp_path)

    assert "nested" in _refusal(tmp_path, "select = " + "[" * 20_000)


def test_nearest_word() -> None:
    """Spelling mistakes find their word, other words find nothing."""
    assert nearest("tenent", [each.label for each in Lifetime]) == "tenant"
    assert nearest("xyzzy", ["select", "ignore"]) is None
