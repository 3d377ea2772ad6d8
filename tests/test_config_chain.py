"""Config files that extend others: what counts, what is relative to what, and what is refused."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from radixlint import reports
from radixlint.config import ForFiles, Settings, load_settings
from radixlint.config.config_schema import config_schema
from radixlint.config.setting_keys import KEYS, OUTPUT_FORMATS
from radixlint.errors import ConfigError
from radixlint.plugins import plugin_names
from radixlint.prompt import Lifetime

ROOT = Path(__file__).parent.parent


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def _refusal(config: Path) -> str:
    with pytest.raises(ConfigError) as caught:
        load_settings(config.parent, config)
    return str(caught.value)


def test_the_nearer_file_counts_and_lists_and_tables_are_joined(tmp_path: Path) -> None:
    """A key of the extending file replaces that of the extended one; extend- lists and tables add up."""
    _write(
        tmp_path / "radixlint.toml",
        'select = ["RL1"]\nextend-select = ["RL401"]\nfail-on = "error"\nexclude = ["old"]\none-user = true\n'
        'variables = {a = "user", b = "user"}\n[per-file-ignores]\n"*.md" = ["RL1"]\n',
    )
    _write(
        tmp_path / "app" / "radixlint.toml",
        'extend = "../radixlint.toml"\nselect = ["RL2"]\nextend-select = ["RL402"]\nextend-exclude = ["new"]\n'
        'variables = {b = "static"}\n[per-file-ignores]\n"*.j2" = ["RL2"]\n',
    )

    found = load_settings(tmp_path / "app")

    assert (found.select, found.extend_select, found.fail_on.value) == (("RL2",), ("RL401", "RL402"), "error")
    assert (found.exclude, found.inherited_excludes) == (("new",), ((tmp_path, ("old",)),))
    assert dict(found.variables) == {"a": Lifetime.USER, "b": Lifetime.STATIC}
    assert (found.one_user, found.one_tenant) == (True, False)
    assert found.per_file_ignores == (
        ForFiles("*.md", ("RL1",), tmp_path),
        ForFiles("*.j2", ("RL2",), tmp_path / "app"),
    )


def test_exclude_of_the_nearer_file_replaces_that_of_the_other(tmp_path: Path) -> None:
    """Only extend-exclude adds to what an extended file excludes."""
    _write(tmp_path / "radixlint.toml", 'exclude = ["a"]\nextend-exclude = ["b"]\n')
    _write(tmp_path / "app" / "radixlint.toml", 'extend = "../radixlint.toml"\nexclude = ["c"]\n')

    found = load_settings(tmp_path / "app")

    assert (found.exclude, found.inherited_excludes) == (("c",), ((tmp_path, ("b",)),))


def test_a_pyproject_can_be_extended(tmp_path: Path) -> None:
    """The table of a pyproject.toml counts; one without it is a mistake."""
    _write(tmp_path / "pyproject.toml", '[tool.radixlint]\nignore = ["RL1"]\n')
    _write(tmp_path / "a" / "radixlint.toml", 'extend = "../pyproject.toml"\n')
    assert load_settings(tmp_path / "a").ignore == ("RL1",)

    _write(tmp_path / "pyproject.toml", "[tool.other]\n")
    assert "there is no [tool.radixlint] table" in _refusal(tmp_path / "a" / "radixlint.toml")


def test_cycles_are_refused_with_the_chain(tmp_path: Path) -> None:
    """Two files that extend each other, and one that extends itself, name the chain and the line."""
    one = _write(tmp_path / "radixlint.toml", 'fail-on = "error"\nextend = "a/b.toml"\n')
    _write(tmp_path / "a" / "b.toml", 'extend = "../radixlint.toml"\n')
    message = _refusal(one)

    assert "b.toml:1: the files extend each other" in message
    assert message.count("radixlint.toml") == 2
    assert "extend each other" in _refusal(_write(tmp_path / "self.toml", 'extend = "./self.toml"\n'))


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("https://example.invalid/base.toml", "nothing is fetched"),
        ("file:///etc/hosts", "nothing is fetched"),
        ("../outside.toml", "outside of the project"),
        ("/dev/zero", "outside of the project"),
        ("~/x.toml", "does not exist"),
        ("link.toml", "outside of the project"),
        ("none.toml", "does not exist"),
        ("pipe.toml", "neither a file nor a folder"),
        ("sub", "not a regular file"),
        ("a\\u0000b", "is not a path"),
    ],
)  # fmt: skip
def test_what_may_not_be_extended(tmp_path: Path, written: str, told: str) -> None:
    """Remote files, files outside of the project (also through links), devices and pipes are refused with the line."""
    home = tmp_path / "project"
    _write(tmp_path / "outside.toml", 'fail-on = "error"\n')
    config = _write(home / "radixlint.toml", f'\nextend = "{written}"\n')
    (home / "link.toml").symlink_to(tmp_path / "outside.toml")
    os.mkfifo(home / "pipe.toml")
    (home / "sub").mkdir()
    message = _refusal(config)

    assert told in message
    assert "radixlint.toml:2: " in message or written == "sub"


def test_rules_are_paths_inside_of_the_project(tmp_path: Path) -> None:
    """Rule packs are found from the config file's folder; the project is the git work tree around it."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "packs").mkdir()
    config = _write(tmp_path / "app" / "radixlint.toml", 'rules = ["../packs"]\n')
    assert load_settings(config.parent).rules == (tmp_path / "packs",)

    assert "outside of the project" in _refusal(_write(config, 'rules = ["../../.."]\n'))
    assert "does not exist" in _refusal(_write(config, 'rules = ["nowhere"]\n'))


YAML_MISTAKES = {
    "rulez: []\nselect: [RL9]\n": ("1: unknown key 'rulez'", "did you mean"),
    "select: [RL1]\nmax-warnings: many\n": ("2: max-warnings must be a whole number", "not a string"),
    "fail-on: on\n": ("1: fail-on must be a string, not a boolean", 'write fail-on = "error"'),
    "- a\n": ("1: a config file is a mapping", ""),
    "jobs: 010\n": ("1:7: `010` is 8", "write 10"),
    "extends: https://example.invalid/base.yaml\n": ("1: unknown key 'extends'", "did you mean extend?"),
}


@pytest.mark.parametrize(("text", "told"), YAML_MISTAKES.items(), ids=YAML_MISTAKES)
def test_a_config_in_yaml_is_read_as_strictly(tmp_path: Path, text: str, told: tuple[str, str]) -> None:
    """Given by --config, a YAML file has the same keys, and mistakes name its lines."""
    message = _refusal(_write(tmp_path / "x.yaml", text))

    assert f"x.yaml:{told[0]}" in message
    assert told[1] in message


def test_every_new_key_is_read(tmp_path: Path) -> None:
    """Counts, flags, tables by glob, delimiters and sizes reach the settings, from TOML and YAML alike."""
    toml = _write(
        tmp_path / "radixlint.toml",
        'respect-gitignore = false\nmax-warnings = 3\noutput-format = "json"\none-tenant = true\ncache = false\njobs = 2\n'
        'jinja = {variable-start = "[[", variable-end = "]]"}\n[rule.RL101]\nmin-tokens = 128\n'
        '[per-file-variables."batch/**"]\nuser.name = "static"\n',
    )
    yaml = _write(
        tmp_path / "x.yaml",
        "respect-gitignore: false\nmax-warnings: 3\noutput-format: json\none-tenant: true\ncache: false\njobs: 2\n"
        'jinja: {variable-start: "[[", variable-end: "]]"}\nrule: {RL101: {min-tokens: 128}}\n'
        "per-file-variables:\n  'batch/**': {user.name: static}\n",
    )

    one, other = load_settings(tmp_path, toml), load_settings(tmp_path, yaml)

    assert (one.respect_gitignore, one.max_warnings, one.output_format) == (False, 3, "json")
    assert (one.one_tenant, one.cache, one.jobs) == (True, False, 2)
    assert dict(one.jinja) == {"variable_start": "[[", "variable_end": "]]"}
    assert dict(one.min_tokens) == {"RL101": 128}
    assert one.per_file_variables == (ForFiles("batch/**", {"user.name": Lifetime.STATIC}, tmp_path),)
    names = [name for name in Settings.__struct_fields__ if name not in ("source", "places")]
    assert [getattr(one, name) for name in names] == [getattr(other, name) for name in names]


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ('\n[per-file-ignores]\n"*.md" = "RL1"\n', 3, "per-file-ignores.*.md must be a list of strings"),
        ('[per-file-variables."a.b/**"]\nx = "never"\n', 2, "unknown lifetime 'never'"),
        ("[rule.RL101]\nmin-token = 3\n", 2, "did you mean min-tokens?"),
        ("[rule.RL101]\n", 1, "sets nothing"),
        ("rule.RL101.min-tokens = -1\n", 1, "a whole number from 0 on, not -1"),
        ("jobs = 0\n", 1, "from 1 on"),
        ("max-warnings = true\n", 1, "not a boolean"),
        ('jinja.block-star = "<%"\n', 1, "did you mean block-start?"),
        ('jinja.block-start = ""\n', 1, "not empty"),
        ('cache = "no"\n', 1, "cache must be true or false, not a string"),
        ('output-format = "xml"\n', 1, "must be one of"),
    ],
)  # fmt: skip
def test_mistakes_in_new_keys_name_their_line(tmp_path: Path, text: str, line: int, told: str) -> None:
    """The line of the key, also inside of tables with quoted names."""
    message = _refusal(_write(tmp_path / "radixlint.toml", text))

    assert f"radixlint.toml:{line}: " in message
    assert told in message


def test_the_schema_is_the_one_in_the_documentation() -> None:
    """The file that editors are pointed to is made from the table of keys, and names each of them."""
    assert (ROOT / "docs" / "radixlint.schema.json").read_text(encoding="utf-8") == config_schema()
    assert list(json.loads(config_schema())["properties"]) == [key.name for key in KEYS]


def test_output_formats_are_those_of_check() -> None:
    """What the config file may name is what the command can write."""
    written = {name.removeprefix("check-") for name in plugin_names(reports) if name.startswith("check-")}

    assert set(OUTPUT_FORMATS) == written


def test_every_example_of_the_table_is_read(tmp_path: Path) -> None:
    """How an error says to write a key is right."""
    (tmp_path / "prompt-rules").mkdir()
    _write(tmp_path / "prompt-calls.yaml", "sinks: []\n")
    _write(tmp_path / "pyproject.toml", "[tool.radixlint]\n")
    for key in KEYS:
        example = key.example.replace("../radixlint.toml", "pyproject.toml")
        load_settings(tmp_path, _write(tmp_path / "x.toml", example + "\n"))
