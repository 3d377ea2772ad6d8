"""Tell prompts among the strings of a settings file: by the key, by prose, and by how a prompt speaks to a model."""

from __future__ import annotations

from dataclasses import dataclass

from radixlint.late_pattern import late_pattern
from radixlint.prompt import Role
from radixlint.sources._placeholders import Style, style_of

_WORDS = late_pattern(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_SURE_KEYS = frozenset(("prompt", "prompts", "instructions", "instruction", "preamble", "persona"))
_KEYS = _SURE_KEYS | {"template", "system", "message"}
# Texts for people, for machines, or for other programs.
_OTHER_KEYS = frozenset(
    (
        "email",
        "mail",
        "sms",
        "subject",
        "html",
        "css",
        "url",
        "uri",
        "path",
        "file",
        "filename",
        "log",
        "commit",
        "sql",
        "title",
        "label",
        "shell",
        "cmd",
        "command",
        "script",
        "value",
        "notification",
        "push",
        "tooltip",
        "placeholder",
        "error",
        "warning",
        "help",
        "description",
        "banner",
        "motd",
        "footer",
        "header",
        "ps1",
    )
)
_ROLES = {
    **dict.fromkeys(("system", "persona", "preamble", "instructions", "instruction", "developer"), Role.SYSTEM),
    **dict.fromkeys(("user", "human", "instance", "task", "question", "query", "input", "request"), Role.USER),
    **dict.fromkeys(("assistant", "ai"), Role.ASSISTANT),
}
_NEUTRAL = frozenset(("prompt", "prompts", "template", "message", "text", "content"))

_PLACEHOLDER = late_pattern(r"\{[{%#][^{}\n]*[}%#]\}|\$?\{[^{}\n]*\}")
_DOLLAR = late_pattern(r"(?<!\$)\$\{[^\W\d][\w.]*\}")
# Workflows of GitHub, Helm and other Go templates, variables of Ansible: no engine for prompts takes these.
_FOREIGN = late_pattern(r"\$\{\{|\{\{-?\s*[.$]|\bansible_|\{\{\s*(?:lookup|hostvars|groups|states)\b")
_WORD = late_pattern(r"[^\W\d_]{2,}")
_SENTENCE = late_pattern(r"[^\W\d_]{2,}[.:!?](?:\s|$)")
_ADDRESS = late_pattern(
    r"\W*(?i:you are|you're)\s+(?:an?\b|the\b|our\b|[A-Z{])|\W*(?:Act as|Your (?:task|job|role|goal) is|I want you to)\b"
)
_WORDS_MIN, _WORDS_MIN_BARE = 20, 25
_LETTERS_MIN_RATE = 0.75
_SAMPLE_CHARS = 4_000


@dataclass(frozen=True, slots=True)
class KeyWords:
    """A key as words; ``role`` is who speaks, ``stem`` what is left without the words for roles and texts."""

    words: tuple[str, ...]

    @classmethod
    def of(cls, key: str) -> KeyWords:
        """Return the words of ``key``: ``systemPrompt`` and ``system_prompt`` are the same."""
        return cls(tuple(word.lower() for word in _WORDS.findall(key)))

    @property
    def role(self) -> Role:
        """Who speaks by the last word that says so."""
        return next((_ROLES[word] for word in reversed(self.words) if word in _ROLES), Role.TEXT)

    @property
    def stem(self) -> tuple[str, ...]:
        """The words by which prompts of one mapping belong together."""
        return tuple(word for word in self.words if word not in _ROLES and word not in _NEUTRAL)

    @property
    def is_prompt(self) -> bool:
        """Whether the key names a prompt."""
        is_named = bool(self.words) and (self.words[-1] in _KEYS or bool(_SURE_KEYS & set(self.words)))
        return is_named and not _OTHER_KEYS & set(self.words)


def speaks_to_model(text: str) -> bool:
    """Whether a text is a prompt by itself, under a key that speaks against it."""
    from radixlint.sources._prompt_signs import judge_field

    return is_prose(text, _WORDS_MIN_BARE) and not _FOREIGN.search(text) and judge_field(text, -1).is_sure


def is_prompt_text(text: str, key: KeyWords, is_prompt_file: bool) -> bool:
    """Whether ``text`` under ``key`` is a prompt: prose under a key that says so, or prose that speaks to a model."""
    if _FOREIGN.search(text) or not (key.is_prompt or is_prompt_file or _ADDRESS.match(text)):
        return False
    if _OTHER_KEYS & set(key.words) and not _ADDRESS.match(text) and not speaks_to_model(text):
        return False
    return is_prose(text, _WORDS_MIN if key.is_prompt else _WORDS_MIN_BARE)


def is_part_of_prompt(text: str, key: KeyWords) -> bool:
    """Whether a text too short to tell may belong to a prompt beside it: its key names a prompt and who speaks."""
    return key.is_prompt and key.role is not Role.TEXT and not _FOREIGN.search(text)


def is_prose(text: str, words_min: int) -> bool:
    """Whether ``text`` is sentences and not code or data, by its first 4,000 characters; placeholders aside."""
    bare = _PLACEHOLDER.sub(" ", text[:_SAMPLE_CHARS])
    if len(_WORD.findall(bare)) < words_min or not _SENTENCE.search(bare):
        return False
    letters = sum(map(str.isalpha, bare)) + sum(map(str.isspace, bare))
    return letters >= _LETTERS_MIN_RATE * len(bare)


def style_told(text: str) -> str:
    """Return the style of the placeholders of one text, ``none`` if it has none."""
    style = style_of([text])
    if style is Style.NONE or (style is Style.SINGLE and not _DOLLAR.sub("", text).count("{")):
        return "dollar" if _DOLLAR.search(text) else "none"
    return str(style.value)
