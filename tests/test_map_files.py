"""Map files: the page's example from flag to report, faults with their line, paths, and how usage counts."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from log_records import read_records

from radixlint.cli.command_group import cli
from radixlint.errors import ConfigError
from radixlint.logs import ReadOptions, load_formats, read_logs
from radixlint.logs._map_bodies import BODY_KINDS
from radixlint.logs._map_paths import first_in, parse_path
from radixlint.logs._map_schema import CONDITION, COUNTS, KEYS, NAMED, PROMPT, TYPES, read_map
from radixlint.logs._record_json import decode_record, decode_value
from radixlint.traffic import LogRead

PAGE = Path(__file__).parent.parent / "docs" / "log-maps.md"
HI = [{"role": "user", "content": "Hi"}]


def write_map(folder: Path, text: str, name: str = "own.yaml") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def read_with(map_text: str, folder: Path, *records: object) -> LogRead:
    log = folder / "log.jsonl"
    log.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return read_logs([str(log)], ReadOptions(maps=(write_map(folder, map_text),)))


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def test_the_page_names_every_key_and_kind() -> None:
    """Whoever writes a map finds each key, name of a path, kind of body and type on the page."""
    words = set(re.findall(r"[\w-]+", PAGE.read_text(encoding="utf-8")))

    assert {*KEYS, *NAMED, *PROMPT, *COUNTS, *CONDITION, *TYPES, *BODY_KINDS, "reply", "output_ids"} <= words


def test_a_users_map_from_flag_to_report(tmp_path: Path) -> None:
    """The page's own example is read with --map by analyze, and listed by formats; rows that it bars are told."""
    (record,), text = blocks("json"), blocks("yaml")[0]
    row = json.loads(record)
    rows = [row, row | {"served_by": "answer-cache"}, row | {"kind": "tool"}, row | {"at": row["at"] + 1}]
    log = tmp_path / "log.jsonl"
    log.write_text("".join(json.dumps(one) + "\n" for one in rows), encoding="utf-8")
    own = write_map(tmp_path, text)

    listed = CliRunner().invoke(cli, ["formats", "--map", own, "--format", "json"])
    done = CliRunner().invoke(cli, ["analyze", str(log), "--map", own, "--format", "json"])

    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert "our-gateway" in [fact["name"] for fact in json.loads(listed.output)["formats"]]
    assert (report["input"]["format"], report["requests"]) == ("our-gateway", 2)
    assert (report["input"]["read"], report["input"]["skipped"]) == (4, {})
    assert any("Left out, served from the gateway's response cache: 1" in note for note in report["diagnostics"])
    assert report["hit_rate"]["reported"] == pytest.approx(16 / 17)


def test_a_users_map_goes_before_all_others(tmp_path: Path) -> None:
    """A map given by the user takes records that other formats know, whatever its rank; without it they are theirs."""
    record = {"messages": HI, "model": "m", "question": "What?"}
    text = "name: mine\naccepts: x\nrank: 99\ndetect: {all: [messages]}\npaths: {prompt: question}\nbody: {as: completions}\n"

    log = read_with(text, tmp_path, record)

    assert (log.format, log.requests[0].rendered, log.requests[0].model) == ("mine", "What?", "m")
    assert read_records(record).format == "openai-chat"


def test_a_map_of_a_packaged_name_replaces_it(tmp_path: Path) -> None:
    """There is one format of a name; two files of one name are an error that names the second."""
    text = "name: helicone\naccepts: ours\ndetect: {all: [a]}\n"
    first, second = write_map(tmp_path, text), write_map(tmp_path, text, "second.yaml")

    assert [f.accepts for f in load_formats((first,)) if f.name == "helicone"] == ["ours"]
    with pytest.raises(ConfigError, match=r"second\.yaml: two maps are called 'helicone'"):
        load_formats((first, second))


START = "name: a\naccepts: b\ndetect: {all: [c]}\n"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (START + "pahts: {id: x}\n", 4, ["unknown key 'pahts'", "did you mean paths"]),
        (START + "paths:\n  id: x\n  sesion: y\n", 6, ["unknown key 'sesion'", "did you mean session"]),
        (START + "paths: {id: 'a..b'}\n", 4, ["'a..b' is no path"]),
        (START + "paths: {id: 'a[x]'}\n", 4, ["is no path"]),
        (START + "paths: {id: []}\n", 4, ["needs a path"]),
        (START + "paths: [a]\n", 4, ["must be a mapping"]),
        (START + "body: {path: x, as: cat}\n", 4, ["must be one of auto, chat", "did you mean chat"]),
        (START + "rank: 0\n", 4, ["whole number from 1 to 99"]),
        (START + "rank: true\n", 4, ["whole number from 1 to 99"]),
        (START + "wrapped: yes please\n", 4, ["true or false"]),
        (START + "name: c\n", 4, ["'name' stands twice"]),
        (START + "usage: {prompt: p, cached: c}\n", 4, ["inclusive is missing", "include the cached ones"]),
        (START + "usage: {path: a, prompt: b}\n", 4, ["path, or counts"]),
        (START + "usage: {inclusive: true}\n", 4, ["path, or counts"]),
        (START + "skip:\n  - {path: x}\n", 5, ["reason is missing"]),
        (START + "lack: [{reason: x}]\n", 4, ["note is missing"]),
        (START + "where: [{equals: x}]\n", 4, ["path is missing"]),
        (START + "where: [{path: x, equals: {a: b}}]\n", 4, ["a text, a number, true or false"]),
        (START + "where: [{path: x, is: word}]\n", 4, ["must be one of text"]),
        (START + "roles: [a]\n", 4, ["must be a mapping"]),
        (START + "gives: [\n", 5, ["not YAML"]),
        (START + "gives: ''\n", 4, ["must be text"]),
        ("name: a\naccepts: b\n", 1, ["detect is missing"]),
        ("name: A b\naccepts: b\ndetect: {all: [c]}\n", 1, ["lower-case letters"]),
        ("name: a\naccepts: b\ndetect: {none: [c]}\n", 3, ["detect needs all or any"]),
        ("? [a]\n: b\n", 1, ["keys must be text"]),
        ("- a\n", 1, ["must be a mapping"]),
        ("", 1, ["name is missing"]),
        ("a: &a [x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c]\n"
         "e: &e [*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e,*e,*e]\n", 1, ["too large"]),
        ("a: &a [*a]\n", 1, ["too large"]),
        ("!!python/object/apply:os.getpid []\n", 1, ["must be a mapping"]),
    ],
)  # fmt: skip
def test_faults_in_a_map_name_their_line(text: str, line: int, words: list[str], tmp_path: Path) -> None:
    """A fault is one line: the file and line, what is wrong, and the nearest known word."""
    own = write_map(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        load_formats((own,))

    assert str(caught.value).startswith(f"{own}:{line}: ")
    assert all(word in str(caught.value) for word in words), str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/null", "."])
def test_what_is_no_regular_file_is_no_map(path: str) -> None:
    """A device may never end: it is refused unread, and so is a folder."""
    with pytest.raises(ConfigError, match="not a regular file"):
        read_map(Path(path))


@pytest.mark.parametrize("data", [None, b"\xff\xfe\x00", b" " * (1 << 20) + b" "], ids=["missing", "binary", "large"])
def test_a_file_that_cannot_be_read_is_named(data: bytes | None, tmp_path: Path) -> None:
    """A file that is missing, no UTF-8 or larger than any map is one error with its name."""
    path = tmp_path / "own.yaml"
    if data is not None:
        path.write_bytes(data)

    with pytest.raises(ConfigError, match=re.escape(str(path))):
        load_formats((str(path),))


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("a.b[0].c", 1),
        ("a.b[-1].c", 2),
        ("a.b[*].d", "x"),
        ("*.b[1].c", 2),
        ("['x.y'].z", 3),
        ("text.k[1]", 5),
        ("repr[0].k", "it's"),
        ("gone", None),
        ("a.b[7].c", None),
        ("null", None),
        ("a.b.c", None),
    ],
)
def test_paths_lead_through_lists_names_with_dots_and_text(path: str, found: object) -> None:
    """Each kind of step, JSON in strings and Python's repr; null and what is not there are nothing."""
    record = decode_record(
        json.dumps(
            {
                "a": {"b": [{"c": 1}, {"c": 2, "d": "x"}]},
                "x.y": {"z": 3},
                "text": json.dumps(json.dumps({"k": [4, 5]})),
                "repr": "[{'k': \"it's\"}]",
                "null": None,
            }
        ).encode()
    )
    field = first_in((record,), (parse_path(path),))

    assert (None if field is None else decode_value(field)) == found


@pytest.mark.parametrize(
    ("inclusive", "prompt", "cached", "expected"),
    [("true", 100, 90, (100, 90)), ("false", 10, 90, (100, 90)), ("true", 10, 90, (10, None)), ("false", 10, None, (10, None))],
)
def test_a_map_says_how_usage_counts(
    inclusive: str, prompt: int, cached: int | None, expected: tuple[int, int | None], tmp_path: Path
) -> None:
    """Cached tokens are added where the map says exclusive; more cached than prompt is unknown; missing is never 0."""
    text = START + f"usage: {{prompt: p, cached: k, inclusive: {inclusive}}}\n"
    usage = read_with(text, tmp_path, {"c": 1, "k": cached, "p": prompt}).requests[0].usage

    assert usage is not None
    assert (usage.prompt_tokens, usage.cached_tokens) == expected


def test_token_ids_of_a_map_are_exact(tmp_path: Path) -> None:
    """Ids of prompt and output are kept as they are, and namespaces under the usual names."""
    text = START + "paths: {token_ids: c.in, output_ids: c.out}\n"
    request = read_with(text, tmp_path, {"c": {"in": [1, 2], "out": [3]}, "cache_salt": "s"}).requests[0]

    assert (request.token_ids, request.output_ids) == (b"\1\0\0\0\2\0\0\0", b"\3\0\0\0")
    assert request.namespace == "salt=s"
