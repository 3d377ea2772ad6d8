"""The keys of a config file: one table, from which files are checked, the schema is made, and the documentation."""

from __future__ import annotations

from enum import Enum, auto
from typing import Final

from msgspec import Struct

from radixlint.config.settings import DEFAULT_TOKENIZER
from radixlint.prompt import Lifetime

FAIL_LEVELS: Final = ("error", "warning")
OUTPUT_FORMATS: Final = ("concise", "full", "github", "gitlab", "json", "json-lines", "junit", "sarif", "text")
LIFETIMES: Final = tuple(lifetime.label for lifetime in reversed(Lifetime))


class Kind(Enum):
    """What a key holds."""

    STRINGS = auto()
    WORD = auto()
    FLAG = auto()
    COUNT = auto()
    LIFETIMES = auto()
    CODES_BY_GLOB = auto()
    LIFETIMES_BY_GLOB = auto()
    WORDS = auto()
    RULES = auto()


class Key(Struct, frozen=True):
    """One key: ``known`` are the only words it may hold, or for a table the only keys; ``example`` is how to write it."""

    name: str
    kind: Kind
    summary: str
    example: str
    known: tuple[str, ...] = ()
    default: str | bool | None = None
    least: int = 0


DELIMITERS: Final = ("block-start", "block-end", "variable-start", "variable-end", "comment-start", "comment-end")
RULE_KEYS: Final = ("min-tokens",)

KEYS: Final = (
    Key(
        "extend",
        Kind.WORD,
        "Another config file of the project to start from. Its keys count unless set here; tables are joined, and so are the "
        "extend- lists.",
        'extend = "../radixlint.toml"',
    ),
    Key(
        "select", Kind.STRINGS, "Run only these rules: codes, names, prefixes (RL2) or ALL. Empty means ALL.", 'select = ["RL2"]'
    ),
    Key("extend-select", Kind.STRINGS, "Run these rules too.", 'extend-select = ["RL405"]'),
    Key("ignore", Kind.STRINGS, "Leave these rules out.", 'ignore = ["RL406"]'),
    Key("exclude", Kind.STRINGS, "Files and folders to pass over: globs relative to this file.", 'exclude = ["vendor/**"]'),
    Key("extend-exclude", Kind.STRINGS, "Pass these over too.", 'extend-exclude = ["old/**"]'),
    Key(
        "respect-gitignore",
        Kind.FLAG,
        "In a git work tree, pass over what git ignores.",
        "respect-gitignore = false",
        default=True,
    ),
    Key(
        "sinks",
        Kind.STRINGS,
        "YAML files of your own calls that send prompts, inside the project (docs/code.md).",
        'sinks = ["prompt-calls.yaml"]',
    ),
    Key("rules", Kind.STRINGS, "Files and folders of your own rules, inside the project.", 'rules = ["prompt-rules"]'),
    Key(
        "fail-on", Kind.WORD, "The lowest severity that makes check exit 1.", 'fail-on = "error"', FAIL_LEVELS, default="warning"
    ),
    Key("max-warnings", Kind.COUNT, "Exit 1 only if there are more warnings than this.", "max-warnings = 10"),
    Key("output-format", Kind.WORD, "The form of the report.", 'output-format = "concise"', OUTPUT_FORMATS),
    Key(
        "tokenizer",
        Kind.WORD,
        "The vocabulary that tokens are counted with.",
        'tokenizer = "cl100k_base"',
        default=DEFAULT_TOKENIZER,
    ),
    Key(
        "variables",
        Kind.LIFETIMES,
        "How long the values of variables stay the same.",
        'variables = { customer = "tenant" }',
        LIFETIMES,
    ),
    Key(
        "per-file-ignores",
        Kind.CODES_BY_GLOB,
        "Rules to leave out in some files: globs relative to this file, and selectors.",
        'per-file-ignores = { "drafts/**" = ["RL2"] }',
    ),
    Key(
        "per-file-variables",
        Kind.LIFETIMES_BY_GLOB,
        "Lifetimes of variables in some files; of several globs that match, the later one counts.",
        'per-file-variables = { "batch/**" = { user = "static" } }',
        LIFETIMES,
    ),
    Key("one-tenant", Kind.FLAG, "There is one tenant only: its data count as fixed.", "one-tenant = true", default=False),
    Key("one-user", Kind.FLAG, "There is one user only: their data count as fixed.", "one-user = true", default=False),
    Key(
        "jinja",
        Kind.WORDS,
        "The delimiters of Jinja files (.j2, .jinja, .jinja2) whose first line names none.",
        'jinja = { variable-start = "[[", variable-end = "]]" }',
        DELIMITERS,
    ),
    Key(
        "rule",
        Kind.RULES,
        "Settings of one rule, by code or name: min-tokens is the size of the fixed text behind a value from which it reports.",
        "rule.RL101.min-tokens = 128",
        RULE_KEYS,
    ),
    Key("cache", Kind.FLAG, "Keep results of files that did not change.", "cache = false", default=True),
    Key("jobs", Kind.COUNT, "How many processes check files; as many as help if not set.", "jobs = 4", least=1),
)

NAMES: Final = tuple(key.name for key in KEYS)
